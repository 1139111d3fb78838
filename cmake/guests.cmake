# Guests whose formats can be left out of libtoll, the command and toll.wasm. What is in the build is TOLL_HAVE_... of its sources.
option(TOLL_SOLANA "Read logs and register traces of Solana's programs, log their sections" ON)
option(TOLL_SUPCOM "Read logs of Supreme Commander" ON)
set(toll_guests TOLL_HAVE_SOLANA=$<BOOL:${TOLL_SOLANA}> TOLL_HAVE_SUPCOM=$<BOOL:${TOLL_SUPCOM}>)

# Take the sources of guests that are left out from a list of sources.
function(toll_leave_out_guests list)
  set(sources "${${list}}")
  if(NOT TOLL_SOLANA)
    list(FILTER sources EXCLUDE REGEX "/src/(solana|sbf)/")
  endif()
  if(NOT TOLL_SUPCOM)
    list(FILTER sources EXCLUDE REGEX "/src/supcom/")
  endif()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()
