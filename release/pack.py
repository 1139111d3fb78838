#!/usr/bin/env python3
"""pack.py FOLDER FILE - packs a folder into FILE.tar.gz, FILE.tgz or FILE.zip, or what is in it into FILE.whl, FILE.rock or
FILE.vsix (a zip, too, which has no folders). The bytes are the same for the same content: names are sorted, times are SOURCE_DATE_EPOCH,
owner and group 0, and permissions 755 for folders and programs, 644 for the rest."""
import gzip
import os
import stat
import sys
import tarfile
import time
import zipfile

FLAT = (".whl", ".rock", ".vsix")


def entries(folder):
    """Path and name in the archive of the folder and of all in it, sorted by name."""
    above = os.path.dirname(os.path.abspath(folder))
    paths = [os.path.abspath(folder)]
    for place, folders, files in os.walk(folder):
        paths += [os.path.abspath(os.path.join(place, name)) for name in folders + files]
    return sorted((os.path.relpath(path, above).replace(os.sep, "/"), path) for path in paths)


def mode_of(path):
    return 0o755 if os.path.isdir(path) or os.stat(path).st_mode & stat.S_IXUSR else 0o644


def pack_tar(folder, out, moment):
    with gzip.GzipFile("", "wb", 9, out, mtime=moment) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, path in entries(folder):
                info = archive.gettarinfo(path, name)
                if not (info.isreg() or info.isdir() or info.issym()):
                    sys.exit(f"pack: {path} is no file, folder or link")
                info.mtime, info.uid, info.gid, info.uname, info.gname = moment, 0, 0, "", ""
                info.mode = 0o777 if info.issym() else mode_of(path)
                with open(path, "rb") if info.isreg() else open(os.devnull, "rb") as content:
                    archive.addfile(info, content if info.isreg() else None)


def pack_zip(folder, out, moment):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in entries(folder):
            if out.name.endswith(FLAT):
                name = os.path.relpath(path, folder).replace(os.sep, "/")
                if os.path.isdir(path):
                    continue
            info = zipfile.ZipInfo(name + "/" * os.path.isdir(path), time.gmtime(max(moment, 315532800))[:6])
            kind = stat.S_IFDIR if os.path.isdir(path) else stat.S_IFREG
            info.create_system, info.external_attr = 3, (kind | mode_of(path)) << 16
            if os.path.isdir(path):
                archive.writestr(info, b"")
            else:
                with open(path, "rb") as content:
                    archive.writestr(info, content.read(), zipfile.ZIP_DEFLATED, 9)


def main():
    if len(sys.argv) != 3 or not sys.argv[2].endswith((".tar.gz", ".tgz", ".zip", *FLAT)):
        sys.exit(__doc__)
    folder, file = sys.argv[1:]
    with open(file, "wb") as out:
        (pack_zip if file.endswith((".zip", *FLAT)) else pack_tar)(folder, out, int(os.environ["SOURCE_DATE_EPOCH"]))


main()
