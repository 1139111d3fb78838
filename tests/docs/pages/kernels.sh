not_run "toll run --kernel *" "tests/kernel runs kernels"
