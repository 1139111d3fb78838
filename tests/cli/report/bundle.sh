# The answer of simulateBundle: each transaction with its own units; and of simulateTransaction with a replaced blockhash.
logs() { # PROGRAM UNITS
    echo "[\"Program $1 invoke [1]\",\"Program $1 consumed $2 of 200000 compute units\",\"Program $1 success\"]"
}
memo=MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr
token=TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
cat >bundle.json <<END
{"jsonrpc":"2.0","id":1,"result":{"context":{"apiVersion":"1.14.13","slot":200899295},"value":{"summary":"succeeded","transactionResults":[
{"err":null,"logs":$(logs $memo 1234),"postExecutionAccounts":null,"preExecutionAccounts":null,"returnData":null,"unitsConsumed":1234},
{"err":null,"logs":$(logs $token 76),"postExecutionAccounts":null,"preExecutionAccounts":null,"returnData":null,"unitsConsumed":76}]}}}
END
cat >simulated.json <<END
{"jsonrpc":"2.0","id":1,"result":{"context":{"apiVersion":"3.0.0","slot":1},"value":{"accounts":null,"err":null,"innerInstructions":null,"loadedAccountsDataSize":413,
"logs":$(logs $memo 700),"replacementBlockhash":{"blockhash":"6oFLsE7kmgJx9PjR4R63VRNtpAVJ648gCTr3nq5Hihit","lastValidBlockHeight":3090},"returnData":null,"unitsConsumed":700}}}
END
$TOLL report --by-transaction --tree bundle.json
$TOLL report simulated.json
