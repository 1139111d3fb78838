//! A virtual machine in one page, profiled with Toll: what its author writes is marked.
//!
//! ```sh
//! cargo run --example tinyvm                        # runs the guest
//! TOLL_OUT=out.pb.gz cargo run --example tinyvm     # and writes what each stack cost, in ticks
//! ```
//!
//! It is the machine of examples/embed/tinyvm.c, and its profile is the same.

use tollprof::{Counter, FunctionId, Recording}; // Toll

enum Op {
    Push(i64),
    Load,
    Less,
    Add,
    Sub,
    JumpIfNot(usize),
    Call(usize),
    Return,
    Halt,
}
use Op::*;

struct Function {
    name: &'static str,
    line: u32,
    code: &'static [Op],
    toll_id: FunctionId, // Toll
}

impl Function {
    fn new(name: &'static str, line: u32, code: &'static [Op]) -> Function {
        Function { name, line, code, toll_id: FunctionId::default() }
    }
}

const FIB: usize = 1;
const TWICE: usize = 2;
static MAIN_CODE: [Op; 6] = [Push(6), Call(FIB), Push(7), Call(TWICE), Add, Halt];
#[rustfmt::skip]
static FIB_CODE: [Op; 16] = [
    Load, Push(2), Less, JumpIfNot(6), Load, Return, Load, Push(1), Sub, Call(FIB), Load, Push(2),
    Sub, Call(FIB), Add, Return,
];
static TWICE_CODE: [Op; 4] = [Load, Load, Add, Return];

struct Frame {
    function: usize,
    at: usize,       // the next instruction
    argument: usize, // its place on the stack
}

struct Vm {
    functions: [Function; 3],
    stack: Vec<i64>,
    frames: Vec<Frame>,
    ticks: u64,         // instructions executed so far: what this machine charges for
    toll: Recording<1>, // Toll
}

impl Vm {
    fn enter(&mut self, function: usize) {
        let f = &mut self.functions[function];
        if self.toll.is_new(f.toll_id) {
            f.toll_id = self.toll.add(f.name, "demo.tiny", f.line); // Toll
        }
        self.toll.call(f.toll_id, [self.ticks]); // Toll
        let argument = self.stack.len().saturating_sub(1);
        self.frames.push(Frame { function, at: 0, argument });
    }

    fn leave(&mut self) {
        let result = self.stack.pop().expect("a result");
        let frame = self.frames.pop().expect("a frame");
        self.stack.truncate(frame.argument);
        self.stack.push(result);
        self.toll.ret([self.ticks]); // Toll
    }

    fn operands(&mut self) -> (i64, i64) {
        let b = self.stack.pop().expect("an operand");
        (self.stack.pop().expect("an operand"), b)
    }

    fn run(&mut self) -> i64 {
        self.enter(0);
        loop {
            let frame = self.frames.last_mut().expect("a frame");
            let op = &self.functions[frame.function].code[frame.at];
            frame.at += 1;
            self.ticks += 1;
            match *op {
                Push(value) => self.stack.push(value),
                Load => self.stack.push(self.stack[frame.argument]),
                Less => {
                    let (a, b) = self.operands();
                    self.stack.push((a < b).into());
                }
                Add => {
                    let (a, b) = self.operands();
                    self.stack.push(a + b);
                }
                Sub => {
                    let (a, b) = self.operands();
                    self.stack.push(a - b);
                }
                JumpIfNot(to) => {
                    if self.stack.pop() == Some(0) {
                        frame.at = to;
                    }
                }
                Call(function) => self.enter(function),
                Return => self.leave(),
                Halt => return self.stack.pop().expect("a result"),
            }
        }
    }
}

fn main() -> Result<(), tollprof::Error> {
    let mut vm = Vm {
        functions: [
            Function::new("main", 1, &MAIN_CODE),
            Function::new("fib", 10, &FIB_CODE),
            Function::new("twice", 30, &TWICE_CODE),
        ],
        stack: Vec::new(),
        frames: Vec::new(),
        ticks: 0,
        toll: Recording::counting(Counter::new("ticks", "count")), // Toll
    };
    let result = vm.run();
    println!("the guest says {result}, after {} ticks", vm.ticks);
    vm.toll.end([vm.ticks]) // Toll: writes the file
}
