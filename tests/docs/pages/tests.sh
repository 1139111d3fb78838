not_run "*node --test*" "tests/test_runners runs them"
not_run "*busted --helper*" "tests/lua runs it"
