import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { UploadCheck } from '#shared/upload/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { FailureLimiter } from '#platform/http/failure-limiter.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { liveOutput } from '#feed/stages/output/store.ts';
import { listRuns, uploadSubject } from '#feed/runs/runs.ts';
import { orderUpload, type UploadDeps } from './upload-job.ts';
import { connectTo } from '#feed/delivery/upload/connect.ts';
import { type Account, UploadFailure } from '#feed/delivery/upload/remote.ts';
import { hasUploadPassword, loadUpload, saveUpload, uploadPassword } from '#feed/delivery/upload/store.ts';

export type UploadRouteDeps = UploadDeps & { ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** Failures to reach a server all take this long, so that the time tells nothing about inner networks (T3). */
const UNREACHABLE_MS = 6000;

export function uploadRoutes(app: FastifyInstance, deps: UploadRouteDeps): void {
  const { database, vault, ids, jobs, clock } = deps;
  // A check connects to whatever it is told to: people need a few, scanners thousands.
  const checks = new FailureLimiter(clock, 20, 60_000, 'Verbindungsprüfungen');

  route(app, api.upload, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      const { settings, revision } = await loadUpload(trx, principal.company, params.id);
      const passSet = await hasUploadPassword(trx, principal.company, params.id);
      const runs = await listRuns(trx, principal.company, uploadSubject(params.id), 20);
      return { settings, revision, passSet, runs };
    }),
  );

  route(app, api.saveUpload, ({ principal, params, body, ifMatch }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      const place = { company: principal.company, id: params.id };
      const revision = await saveUpload(trx, vault, place, body, { author: principal.name, expected: ifMatch });
      return { ok: true as const, revision, message: 'Gespeichert' };
    }),
  );

  route(app, api.uploadNow, async ({ principal, params }) => {
    const runid = ids.id();
    await database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      if (!(await liveOutput(trx, principal.company, params.id)))
        throw refusal('Es gibt noch keine Datei. Starten Sie zuerst den Export.');
      if (!(await orderUpload(trx, { company: principal.company, id: params.id, jobid: runid, by: principal.name })))
        throw refusal('Die Übertragung ist ausgeschaltet. Schalten Sie sie in den Einstellungen des Exports ein.');
    });
    jobs.nudge();
    return { runid };
  });

  route(app, api.checkUpload, async ({ principal, body }) => {
    checks.take(principal.company);
    const { host, port, username: user, fingerprint = '' } = body;
    const signIn = { host: host.trim(), port, user: user.trim() };
    const pass = await database.company(principal.company, async (trx) => {
      if (body.id === undefined) return body.password;
      await loadExport(trx, principal.company, body.id);
      return body.password === ''
        ? ((await uploadPassword(trx, vault, { company: principal.company, id: body.id }, signIn, 'password')) ?? '')
        : body.password;
    });
    return check(deps, { ...signIn, pass, fingerprint });
  });
}

async function check({ egress }: UploadRouteDeps, account: Account): Promise<UploadCheck> {
  const started = performance.now();
  try {
    const remote = await connectTo(egress, account);
    try {
      const directories = (await remote.folders()).toSorted((one, other) => one.localeCompare(other, 'de'));
      return { success: true, directories, error: '', protocol: remote.protocol, fingerprint: account.fingerprint };
    } finally {
      remote.close();
    }
  } catch (error) {
    const failure =
      error instanceof UploadFailure
        ? error
        : new UploadFailure('cut', 'Der Server hat die Verbindung beendet.', { cause: error });
    if (failure.code === 'unreachable') await untilSince(started, UNREACHABLE_MS);
    const { message, fingerprint } = failure;
    return { success: false, directories: [], error: message, protocol: null, fingerprint };
  }
}

const untilSince = (started: number, ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, started + ms - performance.now()));
  });

const refusal = (message: string) => new KontorError(409, 'no_upload', message);
