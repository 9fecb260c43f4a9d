import { z } from 'zod';
import { loadMaster } from '#catalogue/masters.ts';
import { holdBaseline } from '#feed/stages/output/store.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { runStates } from '#shared/runs/words.ts';
import { runKindOf, RunResult, runTime } from './runs.ts';

const Owner = z.object({ owner: z.string() });

/** The catalogue or export of a run, and the number of the snapshot or file that it made. */
export function stateOf(job: Job): { owner: string; number: number | null; imports: boolean } {
  const { owner } = Owner.parse(JSON.parse(job.payload));
  const { snapshot, output } = RunResult.parse(JSON.parse(job.result));
  const imports = runKindOf(job) === 'import';
  return { owner, number: imports ? snapshot : output, imports };
}

/** Tells whether a run was held back and a user has released or discarded it. */
export const wasDecided = ({ result }: Job): boolean => RunResult.parse(JSON.parse(result)).decided;

/** The result of a held run that a user has decided on. */
export const asDecided = (result: string): string =>
  JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(result)), decided: true });

/** Returns the refusal of a decision on a run that does not wait for one: who decided, when, and what holds now. */
export async function notWaiting(trx: Trx, job: Job): Promise<KontorError> {
  const { owner, number, imports } = stateOf(job);
  if (!wasDecided(job))
    return refusal(`Dieser Lauf wartet nicht auf eine Freigabe, sein Zustand ist „${runStates[job.state]}“.`);
  const released = job.state === 'done';
  const when = job.finished_at === null ? '' : `, am ${runTime.format(job.finished_at)}`;
  const live = imports
    ? (await loadMaster(trx, job.company, owner)).live
    : ((await holdBaseline(trx, job.company, owner)) ?? null);
  const what = imports ? 'Stand' : 'Datei';
  const holds =
    live === null ? `Es gilt noch kein${imports ? ' Stand' : 'e Datei'}.` : `Es gilt jetzt ${what} ${live}.`;
  const own = number === null ? '' : ` (Nummer ${number})`;
  return refusal(
    `Über diesen Stand${own} ist schon entschieden${when}: „${job.message ?? ''}“ ${holds} ${released ? ifUnwanted[what] : ifWanted[what]}`,
  );
}

const ifUnwanted = {
  Stand: 'Soll ein anderer gelten, setzen Sie ihn unter „Aufbewahrte Stände“ wieder in Kraft.',
  Datei: 'Soll eine andere gelten, liefern Sie sie unter „Aufbewahrte Dateien“ wieder aus.',
} as const;
const ifWanted = {
  Stand: 'Wird der verworfene doch gebraucht, importieren Sie seine Datei bitte noch einmal.',
  Datei: 'Wird die verworfene doch gebraucht, starten Sie den Export bitte noch einmal.',
} as const;

const refusal = (message: string) => new KontorError(409, 'not_blocked', message);
