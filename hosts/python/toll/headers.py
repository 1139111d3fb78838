"""Structs, functions and statuses of libtoll, as ctypes has them. Made by scripts/bindings from include/toll; do not edit."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

E_LIMIT = 2
E_OVERFLOW = 3
E_UNKNOWN_FORMAT = 30
E_UNSUPPORTED = 31
E_SYNTAX = 40
E_TRUNCATED = 41


class Error(ctypes.Structure):
    _fields_ = [("status", c_int),
                ("text", c_char * 512)]


class ValueType(ctypes.Structure):
    _fields_ = [("type", c_char_p),
                ("unit", c_char_p)]


class ThreadLabel(ctypes.Structure):
    _fields_ = [("key", c_char_p),
                ("value", c_char_p)]


class Frame(ctypes.Structure):
    _fields_ = [("name", c_char_p),
                ("file", c_char_p),
                ("line", c_uint32),
                ("kind", c_int),
                ("system_name", c_char_p),
                ("module", c_char_p),
                ("build_id", c_char_p),
                ("address", c_uint64),
                ("at_line", c_uint32),
                ("at_address", c_uint64),
                ("at_file", c_char_p)]


class Filter(ctypes.Structure):
    _fields_ = [("size", c_size_t),
                ("focus", c_char_p),
                ("ignore", c_char_p),
                ("thread", c_char_p),
                ("where", c_char_p)]


Warn = CFUNCTYPE(None, c_void_p, c_char_p)
Progress = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)


class FormatOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t),
                ("warn", Warn),
                ("warn_user", c_void_p),
                ("value", c_char_p),
                ("flamechart", c_int),
                ("progress", Progress),
                ("progress_user", c_void_p),
                ("strict", c_int),
                ("title", c_char_p),
                ("most_stacks", c_size_t),
                ("labels", c_char_p),
                ("stack_bytes", c_size_t),
                ("no_sync", c_int),
                ("readers", c_void_p),
                ("reader_count", c_size_t)]


class ReportOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t),
                ("value", c_char_p),
                ("sort", c_int),
                ("rows", c_uint32),
                ("color", c_int),
                ("short_names", c_int),
                ("by_category", c_int),
                ("keep_outside", c_int),
                ("links", c_char_p)]


TakeRows = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)


class TablesOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t),
                ("take_rows", TakeRows),
                ("user", c_void_p),
                ("most_rows", c_uint64),
                ("most_frames", c_uint64)]


FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {  # results and parameters
    "toll_version": (c_char_p, []),
    "toll_version_number": (c_uint32, []),
    "toll_profile_load": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(FormatOptions), POINTER(c_void_p), POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_read": (c_int, [c_void_p, c_char_p, POINTER(FormatOptions), POINTER(c_void_p), POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_free": (None, [c_void_p]),
    "toll_profile_merge": (c_int, [c_void_p, c_void_p, POINTER(Error)]),
    "toll_profile_with_labels": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_filter": (c_int, [c_void_p, POINTER(Filter), POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_group_by": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_add_note": (c_int, [c_void_p, c_char_p, c_uint64, POINTER(Error)]),
    "toll_profile_fold_places": (c_int, [c_void_p, POINTER(c_void_p), POINTER(Error)]),
    "toll_profile_nodes": (c_int, [c_void_p, c_uint32, POINTER(c_uint32), POINTER(c_uint32), POINTER(c_int64), POINTER(Error)]),
    "toll_profile_frames": (c_int, [c_void_p, c_uint32, POINTER(Frame), POINTER(Error)]),
    "toll_profile_save_as": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(FormatOptions), POINTER(Error)]),
    "toll_profile_write": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(FormatOptions), c_void_p, POINTER(Error)]),
    "toll_profile_column_count": (c_uint32, [c_void_p]),
    "toll_profile_column": (ValueType, [c_void_p, c_uint32]),
    "toll_profile_thread_count": (c_uint32, [c_void_p]),
    "toll_profile_thread_name": (c_char_p, [c_void_p, c_uint32]),
    "toll_profile_thread_label_count": (c_uint32, [c_void_p, c_uint32]),
    "toll_profile_thread_label": (ThreadLabel, [c_void_p, c_uint32, c_uint32]),
    "toll_profile_root": (c_uint32, [c_void_p, c_uint32]),
    "toll_profile_node_count": (c_uint32, [c_void_p]),
    "toll_profile_frame_count": (c_uint32, [c_void_p]),
    "toll_profile_has_places": (c_int, [c_void_p]),
    "toll_profile_note_count": (c_uint32, [c_void_p]),
    "toll_profile_note": (c_char_p, [c_void_p, c_uint32, POINTER(c_uint64)]),
    "toll_profile_start_ns": (c_int64, [c_void_p]),
    "toll_profile_duration_ns": (c_int64, [c_void_p]),
    "toll_input_from_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(Error)]),
    "toll_input_free": (None, [c_void_p]),
    "toll_output_to_memory": (c_int, [c_void_p, c_int, POINTER(c_void_p), POINTER(Error)]),
    "toll_output_data": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "toll_output_commit": (c_int, [c_void_p, POINTER(Error)]),
    "toll_output_free": (None, [c_void_p]),
    "toll_report_top": (c_int, [c_void_p, POINTER(ReportOptions), c_void_p, POINTER(Error)]),
    "toll_tables_create": (c_int, [c_void_p, POINTER(TablesOptions), POINTER(c_void_p), POINTER(Error)]),
    "toll_tables_free": (None, [c_void_p]),
    "toll_tables_schema": (c_int, [c_int, c_void_p, POINTER(Error)]),
    "toll_tables_add": (c_int, [c_void_p, c_char_p, POINTER(ThreadLabel), c_uint32, c_void_p, POINTER(Error)]),
    "toll_tables_add_unread": (c_int, [c_void_p, c_char_p, POINTER(ThreadLabel), c_uint32, c_char_p, POINTER(Error)]),
    "toll_tables_finish": (c_int, [c_void_p, POINTER(Error)]),
}
