/** Hold the WebAssembly that the running test has run so far to rules of a budget, such as "ticks  *  <= 1_204_331".
 *  Throws an Error that names the stacks in which the cost is. */
export function check(...rules: string[]): void;
