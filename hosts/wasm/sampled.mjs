// sampled.mjs - a recording whose time is sampled by V8 (v8_sampler.mjs, page_sampler.mjs). Calls and ticks are as exact as
// in any recording.
import { TOLL } from "./embedder.mjs";
import { exportsOne, Recording, sectionHead } from "./recording.mjs";
import { bodyOffsets, namedImports, V8Stacks } from "./v8_sampler.mjs";

const FEW_READINGS = 20_000; // of the clock, some 3 ms; for fewer events a sampler is not worth its cost
const SLICE_MS = 500, MOST_FOR_STACKS = 0.2; // of V8's samples, and the part of a slice that charging them may take
const NOT_SAMPLED = "the clock was read at each event, since time could not be sampled: functions of many short calls seem to take longer";
const STOPPED = "times that the sampler did not answer: the time after that is not known";

export class SampledRecording extends Recording {
  /** The option `engine` is a V8Sampler or a PageSampler. Until it samples, the clock is read at each event, as in other
   *  recordings. */
  constructor(toll, options) {
    super(toll, options);
    this.asideMs = 0;
    this.samples = 0;
  }

  timeFlags() {
    return TOLL.RECORD_TIME | TOLL.RECORD_SAMPLES;
  }

  /** Read the clock at an event. After FEW_READINGS events, begin to sample. */
  read() {
    if (this.isSampling && !this.isAside && performance.now() > this.sliceEnd) this.tryTo(() => this.nextSlice());
    this.readings = (this.readings ?? 0) + 1;
    if (this.readings > FEW_READINGS && !this.isSampling && !this.isAside && !this.hasFailed) this.tryTo(() => this.getReady());
    return super.read();
  }

  getReady() {
    if (!(this.bodies && this.options.engine.mayCharge(this.bodies))) {
      this.hasFailed = true; // where the module's functions are is not known, or they are another recording's, too
      this.note(NOT_SAMPLED);
    } else if (!this.sampler) {
      this.sampler = this.options.engine;
      this.sampler.prepare(this);
    } else if (this.sampler.isReady) {
      const { c } = this.library, before = performance.now();
      this.isSampling = true; // first, since clock_cost calls read(), which must not come here again
      const each = c.clock_cost(5, 200);
      this.startSampling();
      this.library.check(c.sampling_begins(BigInt(Math.round(1000 * each))));
      this.began += performance.now() - before; // that was no time of the guest
    }
  }

  /** Charge what V8 has sampled, and begin anew: its profile has each stack in full, and must not become too large. */
  nextSlice() {
    const before = performance.now();
    this.stopSampling();
    if (performance.now() - before > MOST_FOR_STACKS * SLICE_MS) this.sampler.sampleLess?.();
    this.startSampling();
    this.began += performance.now() - before;
  }

  startSampling() {
    this.sliceEnd = performance.now() + (this.sampler.sliceMs ?? SLICE_MS);
    this.sampler.start();
    this.isSampling = true;
  }

  stopSampling() {
    this.samples += this.sampler.stop();
  }

  prepareOwn(bytes) {
    const prepared = super.prepareOwn(bytes);
    this.keepBodies(prepared);
    return prepared;
  }

  keepBodies(prepared) {
    if (prepared) this.bodies = bodyOffsets(prepared);
  }

  /** Where samples of the module that runs now belong, also when another one has replaced it: see V8Stacks. */
  places() {
    const { bodies, firstBody, firstMoved, moved, functions, firstCaller, callers } = this;
    return { bodies, firstBody, firstCaller, callers, oldNumber: number => this.oldNumber.call({ firstMoved, moved, functions }, number) };
  }

  sampled() {
    return this.sampler?.traces && (this.isSampling || this.sampler.pending.length) ? this.chargeTraces() : undefined;
  }

  async chargeTraces() {
    this.aside(() => {}); // the sampler passes on what it has
    const traces = await this.sampler.traces();
    this.aside(() => traces.forEach(trace => { this.samples += this.sampler.charge(trace); }));
  }

  instantiate(module, imports = {}) {
    const { engine } = this.options, functionImports = WebAssembly.Module.imports(module).filter(i => i.kind === "function");
    this.firstBody = functionImports.length;
    if (!engine.traces) return super.instantiate(module, namedImports(module, imports));
    this.findCallers(module, functionImports);
    return super.instantiate(module, imports);
  }

  /** Which functions of the instrumented module call imports. A page may forbid functions that are made of texts, and its
   *  sampler does not show these: so there imports cannot be named. */
  findCallers(module, functionImports) {
    const { functions } = sectionHead(module), events = functionImports.filter(i => i.module === "toll").length;
    const counts = exportsOne(module, "toll:executions") ? 1 : 0, imports = functionImports.length - events;
    const helpers = functionImports.some(i => i.module === "toll" && i.name === "unwind") ? 10 : 0; // catch_code.h
    this.firstCaller = functions + events;
    // With `only` and `skip` not all imports have one; then it is not known which have.
    const added = this.firstBody + (this.bodies?.length ?? 0) - counts - helpers - this.firstCaller;
    this.callers = added === imports ? imports : 0;
  }

  spent() {
    const passed = performance.now() - this.began - this.asideMs - (this.isAside ? performance.now() - this.asideBegan : 0);
    return { ticks: super.spent().ticks, time: BigInt(Math.round(passed * 1e6)) };
  }

  pause() {
    this.asideBegan = performance.now();
    if (this.isSampling) {
      this.settle(); // so that its call is there
      this.tryTo(() => this.stopSampling());
    }
    super.pause();
  }

  goOn() {
    super.goOn();
    if (this.isSampling)
      this.tryTo(() => {
        this.sampler.prepare(this);
        this.startSampling();
      });
    this.asideMs += performance.now() - this.asideBegan;
  }

  /** Do `work` with the sampler. If it fails, the recording continues without it. */
  tryTo(work) {
    try {
      work();
    } catch {
      this.hasFailed = true;
      this.isSampling = false;
      this.note(STOPPED);
    }
  }

  get isSampled() {
    return this.isSampling || this.samples > 0; // the sampler may have failed since then
  }

  /** Replace the time, except for that of phases, by what V8 has sampled in a second run of the module as it is. */
  replaceTime(profile, places) {
    const { c } = this.library;
    this.aside(() => {
      const stacks = new V8Stacks(profile, c, places);
      this.library.check(c.samples_anew());
      this.isSampling = false; // for good
      this.isTwice = true;
      this.samples = stacks.add();
    });
  }

  /** The profiler's approximate share of the time, as in the last profile: { samples, overhead, all }, in nanoseconds. */
  overhead() {
    const { c } = this.library;
    return { samples: this.samples, overhead: Number(c.overhead()), all: c.time() };
  }
}
