import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { clientOf } from '../test/stages/client.ts';
import { kill, startProgram } from '../test/stages/program.ts';
import { benchEnvironment, prepareStage } from './viewers/hostile-stage.ts';
import { hostileKinds, requests } from './viewers/hostile-viewers.ts';

// `npm run bench:main-thread [-- --items=50000 --times=3 --kind=rows,open]`: makes each request of bench/viewers.ts alone, some
// times, and prints the processor time on the program's main thread, and the longest without a pause. No other request is
// answered meanwhile, even on an idle machine.
const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const items = Number(option('items') ?? 50_000);
const times = Number(option('times') ?? 3);
const kinds = hostileKinds.filter((kind) => option('kind')?.split(',').includes(kind) ?? true);
/** A page of another company must stay fast; it is delayed by anything that takes longer without a pause. */
const MOST_MS = 100;

const folder = mkdtempSync(join(tmpdir(), 'kontor-main-thread-'));
const file = join(folder, 'probe.json');
const { place } = await prepareStage(join(folder, 'data'), items);
const program = await startProgram(join(folder, 'data'), {
  ...benchEnvironment,
  MAIN_THREAD_PROBE: file,
  NODE_OPTIONS: `--import=${new URL('./viewers/main-thread-probe.ts', import.meta.url).href}`,
});
const client = clientOf(() => program.url, place.token);
const Probed = z.object({ longest: z.number(), used: z.number() });

async function probe() {
  rmSync(file, { force: true });
  program.process.kill('SIGUSR2');
  while (!existsSync(file)) await wait(20);
  return Probed.parse(JSON.parse(readFileSync(file, 'utf8')));
}

try {
  const all = requests(place);
  for (const kind of kinds) {
    const { path, body } = all[kind];
    for (let turn = 1; turn <= times; turn++) {
      await wait(300);
      await probe();
      const begun = performance.now();
      const headers = { 'content-type': 'application/json' };
      const answer = await client.raw(path, body === undefined ? {} : { method: 'POST', body, headers });
      const bytes = (await answer.arrayBuffer()).byteLength;
      const took = performance.now() - begun;
      const { longest, used } = await probe();
      if (!answer.ok && kind !== 'too-large') throw new Error(`${kind} is answered with ${answer.status}`);
      console.log(
        `${kind} ${turn}: ${answer.status}, ${((body?.length ?? 0) / 1e6).toFixed(1)} MB gefragt, ${(bytes / 1e6).toFixed(1)} MB geantwortet, ${took.toFixed(0)} ms; Hauptthread ${used.toFixed(0)} ms, am Stück ${longest.toFixed(0)} ms`,
      );
      // The first request of a kind also loads and compiles its code.
      if (turn > 1 && longest > MOST_MS) process.exitCode = 1;
    }
  }
} finally {
  await kill(program, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
