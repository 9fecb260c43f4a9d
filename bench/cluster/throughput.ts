import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openServer } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { type ClusterServers, makeSpace } from './servers.ts';
import { Cluster } from './stage.ts';
import { benchToken } from '../kontor-process.ts';
import { catalogues, type Firm, makeCompanies, makeFirms } from '../long-run/firms.ts';
import { clientOf } from '../../test/stages/client.ts';
import { processorSecondsOf } from '../process-cost.ts';

/** Largest first: everything is warm after the first run, so that no count includes its cost. */
const COUNTS = [4, 2, 1] as const;

export type Throughput = {
  workers: number;
  jobs: number;
  /** Seconds from the first job's start to the last one's end. */
  wall: number;
  /** Processor seconds of the workers. */
  cpu: number;
  /** Average number of busy cores meanwhile: by the workers, and by everything on this machine. */
  workerCores: number;
  machineCores: number;
};

/**
 * Measures how fast this number of workers runs waiting imports and exports of many companies: jobs are created while paused,
 * then released.
 */
export async function throughput(
  servers: ClusterServers,
  root: string,
  firmCount: number,
  say: (line: string) => void,
): Promise<Throughput[]> {
  const space = await makeSpace(servers, 'durchsatz');
  const cluster = await Cluster.start(join(root, 'throughput'), space, { webs: 1, workers: COUNTS[0] });
  const database = openServer(space.databaseUrl, () => {});
  const operator = clientOf(() => cluster.url, benchToken);
  const found: Throughput[] = [];
  try {
    const firms = await makeFirms(cluster, await makeCompanies(cluster, firmCount), { sellers: 0 });
    const round = async (turn: number) => {
      await operator.ask(api.pauseJobs, {}, { paused: true });
      const runs = await order(firms, turn);
      const workers = cluster.of('worker').flatMap(({ pid }) => pid ?? []);
      const cost = () => workers.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
      const [cpu, machine, begun] = [cost(), machineSeconds(), performance.now()];
      await operator.ask(api.pauseJobs, {}, { paused: false });
      for (const [index, run] of runs.entries()) {
        const { state } = await run.firm.client.ended(run.runid, 600);
        if (state !== 'done') throw new Error(`run ${index} -> ${state}`);
      }
      const used = cost() - cpu;
      const seconds = (performance.now() - begun) / 1000;
      const machineCores = (machineSeconds() - machine) / seconds;
      const times = await database.system((trx) =>
        trx
          .selectFrom('jobs')
          .select((eb) => [eb.fn.min('taken_at').as('first'), eb.fn.max('finished_at').as('last')])
          .where(
            'id',
            'in',
            runs.map(({ runid }) => runid),
          )
          .executeTakeFirstOrThrow(),
      );
      const wall = ((times.last?.getTime() ?? 0) - (times.first?.getTime() ?? 0)) / 1000;
      return { workers: workers.length, jobs: runs.length, wall, cpu: used, workerCores: used / seconds, machineCores };
    };
    await round(1);
    for (const [index, count] of COUNTS.entries()) {
      const spare = cluster.of('worker').slice(count);
      await Promise.all(spare.map((one) => one.stop()));
      say(`Durchsatz mit ${count} Workern, Last der Maschine ${loadavg()[0]?.toFixed(1)}`);
      found.push(await round(index));
    }
    return found;
  } finally {
    await database.close();
    await cluster.stop();
    await space.stop();
  }
}

/** Creates a waiting import and export of every company. */
async function order(firms: readonly Firm[], turn: number): Promise<{ firm: Firm; runid: string }[]> {
  const runs: { firm: Firm; runid: string }[] = [];
  for (const firm of firms) {
    runs.push({ firm, runid: await firm.client.upload(firm.masterid, catalogues[(turn + 1) % 2] ?? '') });
    runs.push({ firm, runid: (await firm.client.ask(api.runExport, { id: firm.exportid })).runid });
  }
  await wait(1000);
  return runs;
}

/** Returns the seconds in which this machine's processors were busy, for any process. */
function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + soft) / 100;
}

export function throughputTable(rounds: readonly Throughput[]): string {
  const one = rounds.find(({ workers }) => workers === 1);
  const cores = cpus().length;
  const lines = rounds.toReversed().map(({ workers, jobs, wall, cpu, workerCores, machineCores }) => {
    const ratio = one === undefined ? 1 : one.wall / one.jobs / (wall / jobs);
    const figures = [jobs / wall, ratio, cpu / jobs, workerCores, machineCores].map((value) => value.toFixed(2));
    return `| ${workers} | ${jobs} | ${wall.toFixed(1)} | ${figures.join(' | ')} von ${cores} |`;
  });
  return [
    '| Worker | Läufe | s | Läufe je s | Verhältnis | Prozessor-s je Lauf | Kerne der Worker | Kerne der Maschine |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
  ].join('\n');
}
