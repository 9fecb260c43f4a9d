import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded into the program by bench/main-thread.ts: on SIGUSR2 it writes, into the file of MAIN_THREAD_PROBE, the processor time
// used by the main thread since the last signal, and the most used without a pause. Processor time, because other programs run on
// the machine too.
const file = process.env['MAIN_THREAD_PROBE'];
/** Interval of the probe: work in between counts as without a pause. */
const LOOK_MS = 5;

const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (file !== undefined && isMainThread && process.argv[1]?.endsWith('serve.ts') === true) {
  let [begun, last, longest] = [used(), used(), 0];
  setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, LOOK_MS).unref();
  process.on('SIGUSR2', () => {
    const now = used();
    writeFileSync(`${file}.part`, JSON.stringify({ longest, used: now - begun }));
    renameSync(`${file}.part`, file);
    [begun, last, longest] = [now, now, 0];
  });
}
