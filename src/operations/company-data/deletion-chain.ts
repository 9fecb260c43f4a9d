import { createHash } from 'node:crypto';
import { recordEvent, type SecurityLogDeps, verifySecurityLog } from '#auth/security-log.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { firstCompanies } from '#auth/companies.ts';
import { operatingCompany } from '#operations/operator.ts';
import type { Log } from '#platform/telemetry/log.ts';

/**
 * The installation's own audit chain: a security log that belongs to no company, so that it outlives them all and is never
 * pruned. Ids of companies are ten letters and digits, so none can equal this one.
 */
const INSTALLATION = '@installation';

const ADDED = 'Nachweis der Löschung einer Firma';
const TAKEN_IN = 'Nachweis der Löschung einer Firma, nachträglich aufgenommen';
/**
 * Used when a company is deleted before the first nightly check. The next nights report it, for this many days in case one is
 * missed.
 */
const TAKEN_IN_BEFORE = 'Nachweis der Löschung einer Firma, vor einer weiteren Löschung nachträglich aufgenommen';
const REPORT_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Adds the proof of a company's deletion to the chain, at the end of the transaction that made it. If the chain is still empty,
 * the older proofs are added before it, because nothing would add them later.
 */
export async function chainDeletion(trx: Trx, deps: SecurityLogDeps, id: string): Promise<void> {
  await pg`select set_config('kontor.company', '*', true)`.execute(trx);
  const proof = (await proofs(trx)).find((one) => one.id === id);
  if (proof === undefined) throw new Error(`the deletion record ${id} does not exist`);
  await takeIn(trx, deps, { what: TAKEN_IN_BEFORE, except: id });
  await addProof(trx, deps, proof, ADDED);
}

const systemActor = {
  company: INSTALLATION,
  kind: 'deletion',
  result: 'done',
  actor: '',
  actorId: '',
  by: 'nobody',
  address: '',
} as const;
type Proof = { id: string; digest: string };
/** The entry holds only the proof's id and hash, no data of the company. */
const addProof = (trx: Trx, deps: SecurityLogDeps, { id, digest }: Proof, what: string): Promise<void> =>
  recordEvent(trx, deps, {
    ...systemActor,
    what,
    subject: `${id} ${digest}`,
  });

/** Returns every proof with a hash of its full content. */
async function proofs(trx: Trx): Promise<Proof[]> {
  const rows = await trx
    .selectFrom('deletion_records')
    .selectAll()
    .where('kind', '=', 'company')
    .orderBy('done_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    // The format of this text must never change. JSON, because a value cannot shift the boundaries between fields.
    const request = [row.company, row.id, row.kind, row.subject, row.name, row.asked_by, row.asked_at.toISOString()];
    const text = JSON.stringify([
      ...request,
      row.done_at.toISOString(),
      row.table_rows,
      row.row_count,
      row.file_count,
      row.bytes,
    ]);
    return { id: row.id, digest: createHash('sha256').update(text).digest('hex') };
  });
}

/**
 * Compares the chain with the proofs. `broken`: where they differ, in German; '' if they match. Proofs from before the chain are
 * added to it once; `takenIn` is their number.
 */
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

/** Reads proofs and chain in one consistent state: a deletion writes both, and the lock on the head makes it wait. */
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

/** Starts the chain with every existing proof except `except`. Returns their number; 0 if there is a chain already. */
async function takeIn(
  trx: Trx,
  deps: SecurityLogDeps,
  { what, except }: { what: string; except?: string },
): Promise<number> {
  // Without the lock a nightly check and a deletion that both find no head would add each proof twice.
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

/** Returns how many proofs a deletion added lately, and when; the time identifies that start of the chain. */
async function takenInByDeletion({ database, clock }: SecurityLogDeps): Promise<{ count: number; began: string }> {
  const since = new Date(clock.now().getTime() - REPORT_DAYS * DAY_MS);
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
export type AddNotification = (trx: Trx, company: string, notice: Notice) => Promise<unknown>;
type NightDeps = SecurityLogDeps & {
  database: Database;
  log: Log;
  adminEmail: string | undefined;
  addNotification: AddNotification;
};

/**
 * Verifies the proofs, in the nightly maintenance of the operator's company, and notifies it of errors or of older proofs that
 * were added.
 */
export async function deletionsAtNight(deps: NightDeps, company: string): Promise<void> {
  const { database, log, adminEmail, addNotification } = deps;
  const operator = await operatingCompany(database, adminEmail);
  if ((operator ?? (await firstCompanies(database, 1))[0]) !== company) return;
  if (operator === undefined) log.warn('nobody operates this installation: KONTOR_ADMIN_EMAIL belongs to no member');
  const { broken, takenIn } = await verifyDeletions(deps);
  const notify = async (id: string, title: string, text: string): Promise<void> => {
    // The first company may be a tenant, whom this does not concern.
    if (operator === undefined) log.error({ text }, title);
    else
      await database.company(company, (trx) =>
        addNotification(trx, company, { id, event: 'failed', title, text, path: '/betrieb' }),
      );
  };
  const tellTakenIn = (count: number, at: string) =>
    notify(
      `deletions-taken-in-${at}`,
      'Löschnachweise in die Kette aufgenommen',
      `${integerText(count)} Nachweise gelöschter Firmen standen noch in keiner Kette und sind nun gegen Änderung gesichert. Das geschieht einmal, nach dem Umstieg auf diese Fassung. Lesen Sie es ein zweites Mal, wurde die Kette entfernt: bitte lassen Sie dann die Datenbank prüfen.`,
    );
  if (takenIn > 0) await tellTakenIn(takenIn, deps.clock.now().toISOString());
  const { count, began } = await takenInByDeletion(deps);
  if (count > 0) await tellTakenIn(count, began);
  // The id is derived from the finding, so that it is reported once.
  if (broken !== '')
    await notify(
      `deletions-${createHash('sha256').update(broken).digest('hex').slice(0, 16)}`,
      'Löschnachweise verändert',
      `${broken} Gespeicherte Nachweise wurden außerhalb von Kontor verändert, oder das Geheimnis der Installation ist ein anderes. Bitte lassen Sie die Datenbank prüfen und eine Sicherung vergleichen.`,
    );
}
