import { createHash } from 'node:crypto';
import { recordEvent, type SecurityLogDeps, verifySecurityLog } from '#auth/security-log.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { operatingCompany } from '#operations/operator.ts';

/**
 * The chain of the installation: a security log that belongs to no company, so that it outlives all and nothing of it is pruned. Ids of
 * companies are ten letters and digits, so none is called like it.
 */
const INSTALLATION = '@installation';

const ADDED = 'Nachweis der Löschung einer Firma';
const TAKEN_IN = 'Nachweis der Löschung einer Firma, nachträglich aufgenommen';
/** A deletion came before the operator's first night. The night still tells it, for so many days in case one is left out. */
const TAKEN_IN_BEFORE = 'Nachweis der Löschung einer Firma, vor einer weiteren Löschung nachträglich aufgenommen';
const TOLD_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Writes the proof that a company was deleted into the chain, in the transaction that made it, at its end. It may be what begins the
 * chain: then older proofs come before it, because nothing takes them in later.
 */
export async function chainDeletion(trx: Trx, deps: SecurityLogDeps, id: string): Promise<void> {
  await pg`select set_config('kontor.company', '*', true)`.execute(trx);
  const proof = (await proofs(trx)).find((one) => one.id === id);
  if (proof === undefined) throw new Error(`there is no proof ${id}`);
  await takeIn(trx, deps, { what: TAKEN_IN_BEFORE, except: id });
  await addProof(trx, deps, proof, ADDED);
}

const nobody = {
  company: INSTALLATION,
  kind: 'deletion',
  result: 'done',
  actor: '',
  actorId: '',
  by: 'nobody',
  address: '',
} as const;
type Proof = { id: string; digest: string };
/** Nothing of the company itself stands there: what is left of it is its proof alone. */
const addProof = (trx: Trx, deps: SecurityLogDeps, { id, digest }: Proof, what: string): Promise<void> =>
  recordEvent(trx, deps, {
    ...nobody,
    what,
    subject: `${id} ${digest}`,
  });

/** Every proof with a hash of all that it says. */
async function proofs(trx: Trx): Promise<Proof[]> {
  const rows = await trx
    .selectFrom('deletion_records')
    .selectAll()
    .where('kind', '=', 'company')
    .orderBy('done_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    // A text that must never change. JSON, because its borders cannot be moved by what stands inside.
    const asked = [row.company, row.id, row.kind, row.subject, row.name, row.asked_by, row.asked_at.toISOString()];
    const text = JSON.stringify([
      ...asked,
      row.done_at.toISOString(),
      row.table_rows,
      row.row_count,
      row.file_count,
      row.bytes,
    ]);
    return { id: row.id, digest: createHash('sha256').update(text).digest('hex') };
  });
}

/** Where the chain and the proofs do not fit together, in German; '' where they do. What was deleted before there was a chain is taken in once. */
export async function verifyDeletions(deps: SecurityLogDeps): Promise<{ broken: string; takenIn: number }> {
  const { database } = deps;
  const takenIn = await database.system((trx) => takeIn(trx, deps, { what: TAKEN_IN }));
  const broken = await verifySecurityLog(deps, INSTALLATION);
  if (broken !== '') return { broken: `Kette der Löschnachweise: ${broken}`, takenIn };
  const { there, chained } = await database.system(readBoth);
  for (const { subject } of chained) {
    const [id = '', digest] = subject.split(' ');
    const found = there.get(id);
    if (found === undefined) return { broken: `Der Löschnachweis ${id} fehlt.`, takenIn };
    if (found !== digest) return { broken: `Der Löschnachweis ${id} wurde verändert.`, takenIn };
    there.delete(id);
  }
  const [unknown] = there.keys();
  return { broken: unknown === undefined ? '' : `Der Löschnachweis ${unknown} steht nicht in der Kette.`, takenIn };
}

/** Proofs and chain as they belong together: a deletion writes into both, and waits for the head while they are read. */
async function readBoth(trx: Trx) {
  await trx.selectFrom('security_log_heads').select('number').where('company', '=', INSTALLATION).forShare().execute();
  return {
    there: new Map((await proofs(trx)).map(({ id, digest }) => [id, digest])),
    chained: await trx
      .selectFrom('security_events')
      .select('subject')
      .where((eb) => eb.and({ company: INSTALLATION, kind: 'deletion' }))
      .orderBy('number')
      .execute(),
  };
}

/** Begins the chain with every proof that there is but one. Gives how many; 0 where there is a chain. */
async function takeIn(
  trx: Trx,
  deps: SecurityLogDeps,
  { what, except }: { what: string; except?: string },
): Promise<number> {
  // A night and a deletion that both find no head would take each proof in twice.
  await pg`select pg_advisory_xact_lock(hashtextextended(${INSTALLATION}, 0))`.execute(trx);
  const head = await trx
    .selectFrom('security_log_heads')
    .select('number')
    .where('company', '=', INSTALLATION)
    .executeTakeFirst();
  if (head !== undefined) return 0;
  const older = (await proofs(trx)).filter(({ id }) => id !== except);
  for (const proof of older) await addProof(trx, deps, proof, what);
  return older.length;
}

/** How many proofs a deletion took in lately, and when; the moment tells one such beginning of a chain from another. */
async function takenInByDeletion({ database, clock }: SecurityLogDeps): Promise<{ count: number; began: string }> {
  const since = new Date(clock.now().getTime() - TOLD_DAYS * DAY_MS);
  const rows = await database.system((trx) =>
    trx
      .selectFrom('security_events')
      .select('at')
      .where((eb) => eb.and({ company: INSTALLATION, kind: 'deletion', what: TAKEN_IN_BEFORE }))
      .where('at', '>=', since)
      .orderBy('number')
      .execute(),
  );
  return { count: rows.length, began: rows[0]?.at.toISOString() ?? '' };
}

type Notice = { id: string; event: 'failed'; title: string; text: string; path: string };
type NightDeps = SecurityLogDeps & {
  database: Database;
  adminEmail: string | undefined;
  addNotification: (trx: Trx, company: string, notice: Notice) => Promise<unknown>;
};

/** In the night of the operator's company: looks through the proofs, and tells it what is wrong, or that older ones were taken in. */
export async function deletionsAtNight(deps: NightDeps, company: string): Promise<void> {
  if ((await operatingCompany(deps.database, deps.adminEmail)) !== company) return;
  const { broken, takenIn } = await verifyDeletions(deps);
  const tell = (id: string, title: string, text: string) =>
    deps.database.company(company, (trx) =>
      deps.addNotification(trx, company, { id, event: 'failed', title, text, path: '/betrieb' }),
    );
  const tellTakenIn = (count: number, at: string) =>
    tell(
      `deletions-taken-in-${at}`,
      'Löschnachweise in die Kette aufgenommen',
      `${integerText(count)} Nachweise gelöschter Firmen standen noch in keiner Kette und sind nun gegen Änderung gesichert. Das geschieht einmal, nach dem Umstieg auf diese Fassung. Lesen Sie es ein zweites Mal, wurde die Kette entfernt: bitte lassen Sie dann die Datenbank prüfen.`,
    );
  if (takenIn > 0) await tellTakenIn(takenIn, deps.clock.now().toISOString());
  const { count, began } = await takenInByDeletion(deps);
  if (count > 0) await tellTakenIn(count, began);
  // The same finding is told once.
  if (broken !== '')
    await tell(
      `deletions-${createHash('sha256').update(broken).digest('hex').slice(0, 16)}`,
      'Löschnachweise verändert',
      `${broken} Gespeicherte Nachweise wurden außerhalb von Kontor verändert, oder das Geheimnis der Installation ist ein anderes. Bitte lassen Sie die Datenbank prüfen und eine Sicherung vergleichen.`,
    );
}
