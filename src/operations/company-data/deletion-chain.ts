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

/** Writes the proof that a company was deleted into the chain, in the transaction that made it, at its end. */
export async function chainDeletion(trx: Trx, deps: SecurityLogDeps, id: string): Promise<void> {
  await pg`select set_config('kontor.company', '*', true)`.execute(trx);
  const proof = (await proofs(trx)).find((one) => one.id === id);
  if (proof === undefined) throw new Error(`there is no proof ${id}`);
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
  const takenIn = await database.system((trx) => takeIn(trx, deps));
  const broken = await verifySecurityLog(deps, INSTALLATION);
  if (broken !== '') return { broken: `Kette der Löschnachweise: ${broken}`, takenIn };
  const { there, chained } = await database.system(async (trx) => ({
    there: new Map((await proofs(trx)).map(({ id, digest }) => [id, digest])),
    chained: await trx
      .selectFrom('security_events')
      .select('subject')
      .where((eb) => eb.and({ company: INSTALLATION, kind: 'deletion' }))
      .orderBy('number')
      .execute(),
  }));
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

async function takeIn(trx: Trx, deps: SecurityLogDeps): Promise<number> {
  const head = await trx
    .selectFrom('security_log_heads')
    .select('number')
    .where('company', '=', INSTALLATION)
    .executeTakeFirst();
  if (head !== undefined) return 0;
  const all = await proofs(trx);
  for (const proof of all) await addProof(trx, deps, proof, TAKEN_IN);
  return all.length;
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
  if (takenIn > 0)
    await tell(
      `deletions-taken-in-${deps.clock.now().toISOString()}`,
      'Löschnachweise in die Kette aufgenommen',
      `${integerText(takenIn)} Nachweise gelöschter Firmen standen noch in keiner Kette und sind nun gegen Änderung gesichert. Das geschieht einmal, nach dem Umstieg auf diese Fassung. Lesen Sie es ein zweites Mal, wurde die Kette entfernt: bitte lassen Sie dann die Datenbank prüfen.`,
    );
  // The same finding is told once.
  if (broken !== '')
    await tell(
      `deletions-${createHash('sha256').update(broken).digest('hex').slice(0, 16)}`,
      'Löschnachweise verändert',
      `${broken} Gespeicherte Nachweise wurden außerhalb von Kontor verändert, oder das Geheimnis der Installation ist ein anderes. Bitte lassen Sie die Datenbank prüfen und eine Sicherung vergleichen.`,
    );
}
