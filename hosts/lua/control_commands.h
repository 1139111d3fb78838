/* control_commands.h - the commands of toll.control's socket: on, off, snapshot and status, each
 * for all states of the process that take commands. */
#ifndef TOLL_LUA_CONTROL_COMMANDS_H
#define TOLL_LUA_CONTROL_COMMANDS_H

/* Carry a command out, as a host_socket_answer. A state does it when it runs Lua next, so the
 * answer waits for that, one second at most. It is a line for each state; one that begins with
 * "error: " says what failed. */
void host_answer_command(const char *command, int client);

#endif
