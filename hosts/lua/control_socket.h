/* control_socket.h - the socket of toll.control: a thread of its own takes one command after the
 * other. A process has one socket, for all its states.
 *
 * A client connects, sends a line, and reads the answer to its end. The socket's file is for the
 * process's user alone. */
#ifndef TOLL_LUA_CONTROL_SOCKET_H
#define TOLL_LUA_CONTROL_SOCKET_H

#include <stdbool.h>
#include <toll/toll.h>

/* Answers a command, by host_socket_send to `client`. Called in the socket's thread. */
typedef void host_socket_answer(const char *command, int client);

/* Have commands answered at `path`, in which %p is the process's id and %% a percent sign. If the
 * program has closed the socket, there is a new one. False: *err says why not, such as that the
 * process has another socket. */
bool host_socket_open(const char *path, host_socket_answer *answer, toll_error *err);

/* False: the client does not take it, nor what follows. */
bool host_socket_send(int client, const char *format, ...) TOLL_PRINTF(2, 3);

/* A forked process has no socket until host_socket_reopen, which does nothing in others. False: it
 * has none after that, and *err says why. */
void host_socket_after_fork(void);
bool host_socket_reopen(toll_error *err);

#endif
