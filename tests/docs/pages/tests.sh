not_run "*node --test*" "tests/test_runners runs them"
