import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { KontorError, isDiskFull, notFound } from '#platform/errors.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { MissingFile } from './manifest.ts';
import { type BackupDeps, type BackupResult, writeBackup } from './write-backup.ts';

/** Holds the access token. Only a user who can read the data folder can read it, and that user has the data already. */
const FILE = 'local-command.json';
const PATH = '/internal/backup';
const Access = z.object({ port: z.number().int(), host: z.string(), token: z.string() });

const Input = z.object({ file: z.string().refine(isAbsolute), key: z.base64().optional() });
const Answer = z.union([
  z.object({
    done: z.object({
      file: z.string(),
      bytes: z.number(),
      rows: z.number(),
      files: z.number(),
      missing: z.array(MissingFile),
      sealed: z.boolean(),
    }),
  }),
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
]);

/**
 * Registers the call by which the installation's own command requests a backup from the running program: a second process cannot
 * open the embedded database. The call requires a token that is made at each start and stored in the data folder. Returns a
 * function that announces the program's address in that file; that function returns one that removes the file.
 */
export function localBackup(
  app: FastifyInstance,
  deps: BackupDeps & { dataFolder: string; log: Log },
): (address: { port: number; host: string }) => () => void {
  const token = randomBytes(32).toString('base64url');
  app.post(PATH, async (request, reply) => {
    const given = Buffer.from(String(request.headers['x-kontor'] ?? ''));
    // Without the token the answer is the usual one of an unknown address.
    if (given.length !== token.length || !timingSafeEqual(given, Buffer.from(token))) throw notFound('Diese Adresse');
    const { file, key } = Input.parse(request.body);
    const sealing = key === undefined ? {} : { key: Buffer.from(key, 'base64') };
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'application/json' });
    // Proxies and clients close a connection that is silent for minutes.
    const alive = setInterval(() => reply.raw.write('\n'), 10_000);
    const answer = await writeBackup({ ...deps, ...sealing }, file, disconnected.signal).then(
      (done) => ({ done }),
      (error: unknown) => {
        deps.log.error({ err: error }, 'backup failed');
        return { error: refusalOf(error) };
      },
    );
    clearInterval(alive);
    reply.raw.end(JSON.stringify(answer));
  });
  return ({ port, host }) => {
    const path = join(deps.dataFolder, FILE);
    rmSync(path, { force: true });
    const access: z.infer<typeof Access> = { port, host, token };
    writeFileSync(path, JSON.stringify(access), { mode: 0o600, flag: 'wx' });
    return () => rmSync(path, { force: true });
  };
}

function refusalOf(error: unknown): { code: string; message: string } {
  if (error instanceof KontorError) return { code: error.code, message: error.message };
  if (isDiskFull(error))
    return {
      code: 'disk_full',
      message: 'Der Speicherplatz reicht für die Sicherung nicht. Es blieb nichts Halbes liegen.',
    };
  return {
    code: 'internal',
    message: 'Die Sicherung scheiterte an einem internen Fehler. Näheres steht im Protokoll.',
  };
}

/** Requests a backup from the program that runs on a data folder. @throws if none answers, and the error that it answers with */
export async function requestBackup(dataFolder: string, file: string, key?: Buffer): Promise<BackupResult> {
  const text = await readFile(join(dataFolder, FILE), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new KontorError(
      409,
      'not_reachable',
      'Das laufende Kontor nimmt noch keine Befehle an. Bitte in einer Minute erneut versuchen.',
    );
  const { port, host, token } = Access.parse(JSON.parse(text));
  const body = JSON.stringify({ file, key: key?.toString('base64') } satisfies z.infer<typeof Input>);
  const answer = await postCommand({ host, port }, token, body);
  if ('error' in answer) throw new KontorError(409, answer.error.code, answer.error.message);
  return answer.done;
}

/** @throws a KontorError if nothing answers, or not to the end: the program ended in between */
async function postCommand(
  address: { host: string; port: number },
  token: string,
  body: string,
): Promise<z.infer<typeof Answer>> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-kontor': token,
  };
  try {
    const answered = await new Promise<string>((resolve, reject) => {
      const call = request({ ...address, path: PATH, method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      });
      call.on('error', reject);
      call.end(body);
    });
    return Answer.parse(JSON.parse(answered));
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    const message = refused
      ? `Unter ${address.host}:${address.port} nimmt kein Kontor Befehle an: Es beginnt oder endet gerade, oder ein früheres wurde hart beendet. Es wurde nichts gesichert. Bitte in einer Minute erneut versuchen.`
      : 'Das laufende Kontor hat den Befehl nicht zu Ende beantwortet: Vermutlich wurde es währenddessen beendet. Es gibt keine neue Sicherung. Bitte prüfen Sie, ob Kontor läuft, und starten Sie die Sicherung erneut.';
    throw new KontorError(409, 'not_reachable', message, { cause: error });
  }
}
