// wasi_numbers.mjs - the numbers of WASI preview 1: errors, types of files, rights, flags.

const ERRORS = ("SUCCESS 2BIG ACCES ADDRINUSE ADDRNOTAVAIL AFNOSUPPORT AGAIN ALREADY BADF BADMSG BUSY CANCELED CHILD CONNABORTED CONNREFUSED " +
  "CONNRESET DEADLK DESTADDRREQ DOM DQUOT EXIST FAULT FBIG HOSTUNREACH IDRM ILSEQ INPROGRESS INTR INVAL IO ISCONN ISDIR LOOP MFILE MLINK " +
  "MSGSIZE MULTIHOP NAMETOOLONG NETDOWN NETRESET NETUNREACH NFILE NOBUFS NODEV NOENT NOEXEC NOLCK NOLINK NOMEM NOMSG NOPROTOOPT NOSPC " +
  "NOSYS NOTCONN NOTDIR NOTEMPTY NOTRECOVERABLE NOTSOCK NOTSUP NOTTY NXIO OVERFLOW OWNERDEAD PERM PIPE PROTO PROTONOSUPPORT PROTOTYPE " +
  "RANGE ROFS SPIPE SRCH STALE TIMEDOUT TXTBSY XDEV NOTCAPABLE").split(" ");

/** The number of each error, by the name that Node gives it: ERROR.ENOENT is 44. */
export const ERROR = Object.fromEntries(ERRORS.map((name, number) => [`E${name}`, number]));
const OTHER_NAMES = { EOPNOTSUPP: ERROR.ENOTSUP, EDQUOT: ERROR.EDQUOT, ERR_OUT_OF_RANGE: ERROR.EINVAL, ERR_INVALID_ARG_VALUE: ERROR.EINVAL };

/** The number of a thrown error. A number is an error of WASI itself, an Error with a code is Node's. Anything else is
 *  not an error for the guest (a stack overflow, a defect here), and is thrown again. */
export function errorNumber(thrown) {
  if (typeof thrown === "number") return thrown;
  const number = ERROR[thrown?.code] ?? OTHER_NAMES[thrown?.code];
  if (number !== undefined) return number;
  if (thrown?.syscall !== undefined) return ERROR.EIO;
  throw thrown;
}

export const TYPE = { UNKNOWN: 0, BLOCK_DEVICE: 1, CHARACTER_DEVICE: 2, FOLDER: 3, REGULAR: 4, STREAM: 6, LINK: 7 };

const RIGHTS = ("FD_DATASYNC FD_READ FD_SEEK FD_SET_FLAGS FD_SYNC FD_TELL FD_WRITE FD_ADVISE FD_ALLOCATE CREATE_FOLDER CREATE_FILE LINK_SOURCE " +
  "LINK_TARGET OPEN READDIR READLINK RENAME_SOURCE RENAME_TARGET PATH_STAT PATH_SET_SIZE PATH_SET_TIMES FD_STAT FD_SET_SIZE FD_SET_TIMES " +
  "SYMLINK REMOVE_FOLDER UNLINK POLL SHUTDOWN ACCEPT").split(" ");

/** The bit of each right. All fit in 30 bits, so rights are kept as plain numbers. */
export const RIGHT = Object.fromEntries(RIGHTS.map((name, bit) => [name, 2 ** bit]));
const rights = names => names.split(" ").reduce((sum, name) => sum | RIGHT[name], 0);

/** The rights of an open file, and of an open folder. */
export const FILE_RIGHTS = rights("FD_DATASYNC FD_READ FD_SEEK FD_SET_FLAGS FD_SYNC FD_TELL FD_WRITE FD_ADVISE FD_ALLOCATE FD_STAT FD_SET_SIZE FD_SET_TIMES POLL");
export const FOLDER_RIGHTS = rights("FD_SET_FLAGS FD_SYNC FD_DATASYNC FD_ADVISE CREATE_FOLDER CREATE_FILE LINK_SOURCE LINK_TARGET OPEN READDIR READLINK " +
  "RENAME_SOURCE RENAME_TARGET PATH_STAT PATH_SET_SIZE PATH_SET_TIMES FD_STAT FD_SET_TIMES SYMLINK REMOVE_FOLDER UNLINK POLL");

export const FLAG = { APPEND: 1, DSYNC: 2, NONBLOCK: 4, RSYNC: 8, SYNC: 16 }; // of an open file
export const OPENING = { CREATE: 1, FOLDER: 2, EXCLUSIVE: 4, TRUNCATE: 8 }; // of path_open
export const TIME_FLAG = { ACCESS: 1, ACCESS_NOW: 2, MODIFIED: 4, MODIFIED_NOW: 8 }; // of *_filestat_set_times
export const FOLLOW = 1; // of lookups: a link in the last component is followed too
