import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { hostComplaint, type UploadCheck, type UploadCheckField } from '#shared/upload/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { ConnectionChecks } from '#platform/http/limits/connection-checks.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { liveOutput } from '#feed/stages/output/store.ts';
import { listRuns, uploadSubject } from '#feed/runs/runs.ts';
import { uploadByHand } from '#feed/runs/start-runs.ts';
import type { UploadDeps } from './upload-job.ts';
import { connectTo } from '#feed/delivery/upload/connect.ts';
import { type Account, isUnreached, type Remote, unreachable, UploadFailure } from '#feed/delivery/upload/remote.ts';
import { hasUploadPassword, loadUpload, saveUpload, uploadPassword } from '#feed/delivery/upload/store.ts';

export type UploadRouteDeps = UploadDeps & { ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** An unreached server is reported only after this time, whatever the reason, so that timing reveals nothing of networks (T3). */
const UNREACHED_MS = 8000;

export function uploadRoutes(app: FastifyInstance, deps: UploadRouteDeps): void {
  const { database, vault, ids, jobs } = deps;
  const checks = new ConnectionChecks(deps, 'Verbindungsprüfungen');

  route(app, api.upload, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      const ref = { company: principal.company, id: params.id };
      await loadExport(trx, ref.company, ref.id);
      const { settings, revision } = await loadUpload(trx, ref.company, ref.id);
      const passSet = await hasUploadPassword(trx, vault, ref, settings);
      const runs = await listRuns(trx, principal.company, uploadSubject(params.id), 20);
      return { settings, revision, passSet, runs };
    }),
  );

  route(app, api.saveUpload, ({ principal, params, body, ifMatch, audit }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      const ref = { company: principal.company, id: params.id };
      const revision = await saveUpload(trx, vault, ref, body, { author: principal.name, expected: ifMatch });
      await audit.within(trx);
      return { ok: true as const, revision, message: 'Gespeichert' };
    }),
  );

  route(app, api.uploadNow, async ({ principal, params }) => {
    const runid = await database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      if (!(await liveOutput(trx, principal.company, params.id)))
        throw refusal('Es gibt noch keine Datei. Starten Sie zuerst den Export.');
      const ordered = await uploadByHand(trx, { ids }, { company: principal.company, id: params.id }, principal.name);
      if (ordered === undefined)
        throw refusal('Die Übertragung ist ausgeschaltet. Schalten Sie sie in den Einstellungen des Exports ein.');
      return ordered;
    });
    jobs.nudge();
    return { runid };
  });

  route(app, api.checkUpload, async ({ principal, body }) => {
    const { host, port, username: user, fingerprint = '' } = body;
    const complaint = hostComplaint(host);
    if (complaint !== undefined) return failed(complaint, { field: 'host' });
    await checks.take(principal.company);
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
  const time = wait(UNREACHED_MS, undefined, { ref: false });
  try {
    const remote = await inTime(connectTo(egress, account), time);
    try {
      const directories = (await remote.folders()).toSorted((one, other) => one.localeCompare(other, 'de'));
      const { protocol } = remote;
      return { success: true, directories, error: '', protocol, fingerprint: account.fingerprint, field: null };
    } finally {
      remote.close();
    }
  } catch (error) {
    const failure =
      error instanceof UploadFailure
        ? error
        : new UploadFailure('cut', 'Der Server hat die Verbindung beendet.', { cause: error });
    if (isUnreached(failure)) await time;
    const { code, message, fingerprint } = failure;
    return failed(message, { fingerprint, field: fieldOf[code] ?? null });
  }
}

/** Treats a server that does not connect in time as unreachable; a late connection is closed. */
async function inTime(connecting: Promise<Remote>, time: Promise<undefined>): Promise<Remote> {
  const remote = await Promise.race([connecting, time.then(() => undefined)]);
  if (remote !== undefined) return remote;
  connecting.then(
    (late) => late.close(),
    () => undefined,
  );
  throw unreachable();
}

const fieldOf: Partial<Record<UploadFailure['code'], UploadCheckField>> = {
  unknown_name: 'host',
  refused_address: 'host',
  refused_port: 'port',
  unreachable: 'host',
  sign_in: 'password',
};

const failed = (
  error: string,
  { fingerprint = '', field = null }: Partial<Pick<UploadCheck, 'fingerprint' | 'field'>>,
): UploadCheck => ({ success: false, directories: [], error, protocol: null, fingerprint, field });

const refusal = (message: string) => new KontorError(409, 'no_upload', message);
