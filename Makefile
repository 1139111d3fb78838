# For those who have make: the same as the scripts.
.PHONY: demo check bench
demo check bench:
	@scripts/$@
