import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply } from 'fastify';
import { Attempts } from '#auth/attempts.ts';
import { addEvent, recordEvent } from '#auth/security-log.ts';
import { SecurityLogWriter } from '#auth/security-log-writer.ts';
import { SignInCookies } from '#auth/cookies.ts';
import { identifier } from '#auth/identify.ts';
import { csvHeaders, spreadsheetCsvRows } from '#catalogue/spreadsheet-csv.ts';
import { requireFilesPlace } from '#catalogue/files/files-place.ts';
import { Quotas } from '#catalogue/quotas.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { notFoundOrTrashed } from '#catalogue/trash.ts';
import type { CsvFile } from '#company/security-log-routes.ts';
import { holdFactorPolicy } from '#company/factor-policy.ts';
import { companyNameById, companyNameOf } from '#company/company-name.ts';
import { uploadJob } from '#feed/delivery/upload-job.ts';
import { exportJob } from '#feed/export/job.ts';
import { stockJob } from '#feed/export/stock-job.ts';
import { importJob } from '#feed/import/job.ts';
import { fileLimits } from '#feed/import/file-limits.ts';
import { workbookReader } from '#feed/import/workbook/workbook-reader.ts';
import { importPlace } from '#feed/import/import-place.ts';
import { maintenanceJob, repeatMaintenance } from '#feed/runs/maintenance-job.ts';
import { isRetryable } from '#feed/runs/runs.ts';
import { startAgain } from '#feed/runs/start-runs.ts';
import { MaterialisedFields } from '#feed/materialised-fields/materialised-fields.ts';
import { type Account, hasActiveAccount } from '#marketplaces/accounts/accounts.ts';
import type { Connectors } from '#marketplaces/connectors.ts';
import { deliverJob, digestJob, repeatDelivery, repeatDigest } from '#notifications/deliveries.ts';
import { canMail, type PersonalMail, sendPersonalMail } from '#notifications/personal-mail.ts';
import { securityLogAtNight } from '#company/security-log-at-night.ts';
import { addNotification } from '#notifications/notifications.ts';
import { settleHeld } from '#notifications/notify-jobs.ts';
import { notifyOverdue } from '#notifications/notify-overdue.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { storedSecret } from '#platform/crypto/install-secret.ts';
import { requireCurrentSecret, requireSecretFile } from '#platform/crypto/installation-keys.ts';
import { checkOrders } from '#orders/audit/check-orders.ts';
import { endActions, endStrandedActions } from '#orders/actions/end-actions.ts';
import { resumeActions } from '#orders/actions/resume-actions.ts';
import { resumeOffers } from '#orders/stock/due-offers.ts';
import { resumePrices } from '#repricer/outbox/submission-store.ts';
import { hintActions } from '#orders/actions/hint-actions.ts';
import { hintOrders } from '#orders/intake/hints.ts';
import { resumeReading } from '#orders/intake/resume-reading.ts';
import { holdHeaderCounts } from '#operations/header-counts.ts';
import { deletionHeaderCounts } from '#operations/company-data/deletion.ts';
import type { SealedPerson } from '#operations/company-data/export-job.ts';
import { personPlace } from '#orders/persons/save-persons.ts';
import { checkOrphans } from '#operations/pruning/orphans.ts';
import { deletionsAtNight } from '#operations/company-data/deletion-chain.ts';
import { prune, pruneSignIns } from '#operations/pruning/prune.ts';
import { purgeTrash } from '#operations/trash/purge.ts';
import { orderHeaderCounts } from '#orders/list/header-counts.ts';
import { openOrders } from '#orders/list/open-orders.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { oneStartAtATime } from '#platform/db/start-lock.ts';
import { CalculatorProcesses } from '#platform/duckdb/calculator-processes.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { DuckInstance } from '#platform/duckdb/instance.ts';
import { Egress } from '#platform/egress/egress.ts';
import type { Pace } from '#platform/egress/pace.ts';
import { SIGN_IN_TRIES, type SignInTries } from '#company/routes.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import { type QuestionLimits, defaultQuestionLimits } from '#platform/http/questions/questions.ts';
import type { Principal } from '#platform/http/server.ts';
import { DatabaseCounts } from '#platform/http/limits/shared-counts.ts';
import { type Ids, randomIds } from '#platform/ids.ts';
import { recoverFiles } from '#platform/jobs/job-files.ts';
import type { Repeat, Repeats } from '#platform/jobs/repeat.ts';
import { OwnProcess } from '#platform/processes/own-process.ts';
import { programVersion } from '#platform/program.ts';
import { type OpenStore, openStore } from '#platform/storage/open-store.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { confirmLimits } from '#repricer/rules/confirm-limits.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { deleteSubmissions } from '#repricer/archive/delete-submissions.ts';
import { deleteOfferMinutes } from '#repricer/intake/delete-offer-minutes.ts';
import { priceHeaderCounts } from '#repricer/control/header-counts.ts';
import { deleteAccountData } from '#repricer/control/delete-account-data.ts';
import { priceTransfer } from '#repricer/outbox/price-transfer.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';
import { verifyHashChain } from '#repricer/record/audit-hash-chain.ts';

/** The repository's root, which contains migrations and built pages. */
export const root = fileURLToPath(new URL('..', import.meta.url));
export const migrations = join(root, 'migrations');

/** How often schedules are checked: the longest delay of a start. */
const LOOK_EVERY_MS = 5000;
/** How often streams recheck their session: after its end they stay open for a minute at most (T13). */
const SESSION_CHECK_MS = 30_000;

export type DepsOptions = {
  /** Tests use their own clock, and check more often what is due. */
  clock?: Clock | undefined;
  lookEveryMs?: number | undefined;
  /** The slowest servers from which files are fetched. */
  pace?: Pace | undefined;
  /** Limits of concurrent calculations that users wait for. */
  questions?: QuestionLimits | undefined;
  /** Milliseconds between a stream's checks of its session. */
  sessionCheckMs?: number | undefined;
  streamLimits?: { person: number; company: number } | undefined;
  /** Free attempts at a password within a quarter of an hour. */
  signInTries?: SignInTries | undefined;
};

/** Opens the store, if it is the one that all processes use. @throws a German sentence otherwise */
async function openSamePlace(
  config: Config,
  deps: { database: Database; clock: Clock; ids: Ids; log: Log; metrics: Metrics },
): Promise<OpenStore> {
  const opened = await openStore(config.store, { ...deps, folder: config.itemsFolder });
  // Only a bucket that works is recorded.
  const samePlace = () => requireFilesPlace(deps, config.store?.name ?? '', config.itemsFolder);
  await oneStartAtATime(deps.database, deps.log, samePlace).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return opened;
}

const securityLogOf = (deps: { database: Database; vault: Vault; clock: Clock; log: Log }): SecurityLogWriter =>
  new SecurityLogWriter({
    log: deps.log,
    add: (event: AuditEvent, trx?: Trx) => (trx === undefined ? addEvent(deps, event) : recordEvent(trx, deps, event)),
  });

/** Makes the dependencies that do not need accounts at marketplaces, because those may need them. */
export async function makeBase(
  config: Config,
  { clock = systemClock, lookEveryMs, pace, sessionCheckMs, signInTries, streamLimits }: DepsOptions,
  { database, log, metrics }: { database: Database; log: Log; metrics: Metrics },
) {
  const ids = randomIds;
  // Processes that share a folder must not each create a secret, and the first to start on a database decides which one is used.
  const secret = await oneStartAtATime(database, log, async () => {
    if (config.secret === undefined) await requireSecretFile(database, config.dataFolder);
    const own = config.secret ?? storedSecret(config.dataFolder, () => ids.secret());
    await requireCurrentSecret({ database, clock }, own);
    return own;
  });
  await recoverFiles(database, config.itemsFolder, clock.now(), database.embedded ? 0 : 60 * 60 * 1000);
  const opened = await openSamePlace(config, { database, clock, ids, log, metrics });
  const { store } = opened;
  const storagePaths = storagePathsIn(config.itemsFolder, store);
  // Files in a folder are at their paths and need not be held.
  const hold = config.store === undefined ? undefined : (paths: readonly string[]) => store.hold(paths);
  const duckOptions = (purpose: string) => ({
    folder: config.itemsFolder,
    instance: `${purpose}-${hostname().replaceAll(/[^\w-]/g, '_')}-${process.pid}`,
    memoryLimit: config.memory,
  });
  const duckdb = new DuckDb(new DuckInstance(duckOptions('jobs')), hold);
  // Three queries run at a time, so a statement gets a third of the cores: a heavy one must not slow down the others.
  const threads = Math.ceil(availableParallelism() / defaultQuestionLimits.catalogue.atOnce);
  const calculators = new CalculatorProcesses({ ...duckOptions('questions'), threads, keepFiles: true });
  calculators.measure(metrics);
  database.measure(metrics);
  const vault = new Vault(secret);
  return {
    database,
    log,
    metrics,
    ids,
    clock,
    secret,
    storagePaths,
    closeStore: opened.close,
    storeState: opened.state,
    counts: new DatabaseCounts({ database, log, process: ids.id() }),
    ownProcess: new OwnProcess({ database, log, role: config.role, program: programVersion(root) }),
    dataFolder: config.dataFolder,
    /** For imports, exports and other background work. Queries that users wait for run in separate processes. */
    duckdb,
    keptDays: config.keptDays,
    importLimits: fileLimits(config.importBytes, config.importPartsAbove),
    workbookReader,
    questionDuckdb: new DuckDb(calculators, hold),
    quotas: new Quotas(database, storagePaths, config.quotas),
    fields: new MaterialisedFields({ database, duckdb, storagePaths, clock, log }),
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    program: programVersion(root),
    vault,
    securityLog: securityLogOf({ database, vault, clock, log }),
    ...settingsOf(config),
    egress: new Egress({ allowLoopback: config.egressLoopback, pace }),
    lookEveryMs: lookEveryMs ?? LOOK_EVERY_MS,
    sessionCheckMs: sessionCheckMs ?? SESSION_CHECK_MS,
    streamLimits,
    signInTries: signInTries ?? SIGN_IN_TRIES,
  };
}
/** Returns the settings that features read directly from the environment. */
const settingsOf = ({ admin, apiToken, factorForOrders, exchangeRates, partsAbove }: Config) => ({
  adminEmail: admin?.email,
  apiToken,
  factorForOrders,
  exchangeRates,
  partsAbove,
});

export type BaseDeps = Awaited<ReturnType<typeof makeBase>>;

type RulesAfter = Parameters<typeof confirmLimits> extends [unknown, ...infer Rest] ? Rest : never;

/** Makes everything that features work with. Subjects that do not know each other are connected here. */
export function makeDeps(base: BaseDeps, connectors: Connectors) {
  const { database, clock, publicUrl, secret } = base;
  const cookies = new SignInCookies(publicUrl, secret);
  const demos = connectors.kinds.filter(({ demo }) => demo !== undefined).map(({ id }) => id);
  return {
    ...base,
    connectors,
    connectorLabel: (connector: string) => connectors.kind(connector)?.label ?? connector,
    open: (account: Account) => connectors.open(base, account),
    /** All calls to an account share its rate limit. */
    buckets: new TokenBuckets(database),
    cookies,
    attempts: new Attempts(database, clock),
    identify: identifier({ ...base, cookies }),
    canMail: (company: string) => canMail(base, company),
    sendPersonalMail: (company: string, mail: PersonalMail) => sendPersonalMail(base, company, mail),
    sendCsv: (reply: FastifyReply, { name, header, rows }: CsvFile) => {
      csvHeaders(reply, name);
      return reply.send(spreadsheetCsvRows(header, rows));
    },
    masterNotFound: (trx: Trx, company: string, masterid: string) =>
      notFoundOrTrashed(trx, 'masters', company, masterid),
    companyName: (company: string) => companyNameById(database, company),
    companyNameOf: (principal: Principal) => companyNameOf(database, principal),
    audit: (event: AuditEvent, trx?: Trx) => base.securityLog.write(event, trx),
    openPerson: ({ company, role, sealed, ...order }: SealedPerson) =>
      base.vault.open(company, personPlace(order, role), sealed),
    repeats: repeatsOf(base),
    headerCounts: [deletionHeaderCounts, holdHeaderCounts, orderHeaderCounts, priceHeaderCounts],
    onOverdue: notifyOverdue,
    onDecided: settleHeld,
    onOrders: hintOrders,
    onActions: hintActions,
    forget: async (trx: Trx, account: Account) => {
      await deleteAccountData(trx, account);
      await endActions(trx, account, clock.now());
    },
    onAccountSaved: [resumeActions, resumeReading, resumePrices, resumeOffers],
    confirmRepricerRules: (...asked: RulesAfter) => confirmLimits({ ...base, duckdb: base.questionDuckdb }, ...asked),
    openOrders,
    factorMissing: async (trx: Trx, company: string) => base.factorForOrders && !(await holdFactorPolicy(trx, company)),
    hasSellerAccount: (trx: Trx, company: string) => hasActiveAccount(trx, company, demos),
    addNotification,
    pricesOf: (account: Account) => priceTransfer({ ...base, connectors }, account),
    atNight: [
      (company: string) => securityLogAtNight({ ...base, addNotification }, company),
      (company: string) => deletionsAtNight({ ...base, addNotification }, company),
      (company: string, signal: AbortSignal) => verifyHashChain(base, company, signal),
      (company: string) => endStrandedActions(base, company),
      (company: string) => checkOrders(base, company),
      (company: string, signal: AbortSignal) => purgeTrash(base, company, signal),
      (company: string, signal: AbortSignal) => prune(base, company, signal),
      () => pruneSignIns(base),
      (company: string, signal: AbortSignal) => deleteOfferMinutes(base, company, signal),
      (company: string, signal: AbortSignal) => archiveDecisions(base, company, signal),
      (company: string, signal: AbortSignal) => deleteSubmissions(base, company, signal),
      (company: string) => checkOrphans({ ...base, addNotification }, company),
    ],
  };
}
/**
 * Returns how kinds of jobs are repeated. Prices are not: the repricer decides them anew by itself; an archive is created only by
 * its owner.
 */
function repeatsOf(base: BaseDeps): Repeats {
  const run: Repeat = {
    isPossible: isRetryable,
    again: (trx, job, by) => startAgain(trx, base, job, { by, mayPrice: true }),
  };
  const other = (again: Repeat['again']): Repeat => ({ isPossible: ({ state }) => state === 'failed', again });
  return new Map([
    ...[importJob, exportJob, stockJob, uploadJob].map(({ kind }) => [kind, run] as const),
    [maintenanceJob.kind, other((trx, { company }) => repeatMaintenance(trx, base.ids, company))],
    [deliverJob.kind, other((trx, job) => repeatDelivery(trx, base.ids, job))],
    [digestJob.kind, other((trx, job) => repeatDigest(trx, base.ids, job))],
  ]);
}
/** Places where subjects encrypt values that a new installation secret must encrypt again. */
export const sealedPlaces = { person: personPlace, importAddress: importPlace };
export type Deps = ReturnType<typeof makeDeps>;
