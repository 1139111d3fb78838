export default { test: { include: ["**/*.test.ts"], exclude: ["**/node_modules/**", ...(process.argv.includes("--dir") ? [] : ["threads/**"])] } };
