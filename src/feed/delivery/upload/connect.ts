import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { PlaceRefused } from '#platform/egress/address-rules.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import type { UploadProtocol } from '#shared/upload/schema.ts';
import { certificateOf } from './certificate.ts';
import { type Account, type Remote, unreachable, unreached } from './remote.ts';

/** Milliseconds to wait for a server's greeting before it is taken for one that expects TLS at once. */
const GREETING = 3000;
const CONNECT = 5000;

const reasons = { port: 'refused_port', address: 'refused_address', name: 'unknown_name' } as const;

/**
 * Detects the server's protocol and signs in. The libraries of the protocols are loaded only here, with the first upload.
 * @throws UploadFailure with a German message
 */
export async function connectTo(egress: Egress, account: Account): Promise<Remote> {
  // Before a connection waits for them.
  const [{ openSftp }, { openFtps }] = await Promise.all([import('./sftp.ts'), import('./ftps.ts')]);
  const { socket, address, protocol } = await detect(egress, account);
  if (protocol === 'sftp') return openSftp(socket, account);
  socket.destroy();
  const connection = await opened(egress, account.host, account.port);
  const certificate = await certificateOf(connection.socket, account.host, protocol === 'ftps');
  return openFtps(address, account, protocol, certificate);
}

/** SSH and FTP servers greet first; a silent server waits for a TLS handshake. */
async function detect(
  egress: Egress,
  { host, port }: Account,
): Promise<{ socket: Socket; address: string; protocol: UploadProtocol }> {
  const { socket, address } = await opened(egress, host, port);
  if (port === 990) return { socket, address, protocol: 'ftps_implicit' };
  const greeting = await firstBytes(socket);
  // Unread, because the SSH client reads the greeting itself.
  if (greeting.length > 0) socket.unshift(greeting);
  if (greeting.toString('latin1').startsWith('SSH-')) return { socket, address, protocol: 'sftp' };
  return { socket, address, protocol: greeting.length > 0 ? 'ftps' : 'ftps_implicit' };
}

async function opened(egress: Egress, host: string, port: number) {
  try {
    return await egress.open(host, port, CONNECT);
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    const { cause } = error;
    throw cause instanceof PlaceRefused ? unreached(reasons[cause.reason], error) : unreachable(error);
  }
}

async function firstBytes(socket: Socket): Promise<Buffer> {
  const stop = new AbortController();
  const read = new Promise<Buffer>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      resolve(chunk);
    });
    socket.once('error', () => resolve(Buffer.alloc(0)));
    socket.once('close', () => resolve(Buffer.alloc(0)));
  });
  const silence = wait(GREETING, Buffer.alloc(0), { signal: stop.signal }).catch(() => Buffer.alloc(0));
  const greeting = await Promise.race([read, silence]);
  stop.abort();
  socket.removeAllListeners('data');
  socket.removeAllListeners('error');
  socket.removeAllListeners('close');
  socket.on('error', () => socket.destroy());
  return greeting;
}
