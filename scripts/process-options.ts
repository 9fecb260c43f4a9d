/**
 * How the program's process is started: a young generation of 16 MB per half, and malloc settings that return what finished
 * compilations leave behind, which was a third of the memory at rest. The embedded database is WebAssembly: compiling several of
 * its functions at once cost memory and made no statement faster (docs/decisions/0014). The budget, near V8's largest, defers its
 * optimising compiler, which used more than a second of processor time during a start; functions in much use still get there.
 */
export const nodeOptions = [
  '--max-semi-space-size=8',
  '--wasm-num-compilation-tasks=1',
  '--wasm-tiering-budget=2000000000',
];
export const processEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  // Each DuckDB statement occupies a thread of Node's pool, which files and DNS need too; the default of four is fewer than jobs
  // and queries.
  UV_THREADPOOL_SIZE: '12',
};
