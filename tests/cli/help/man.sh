"$TOLL" help --man | head -30
"$TOLL" help --completion bash | bash -n && echo "bash: sound"
"$TOLL" help --completion fish
