import { generateKeyPairSync } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, normalize } from 'node:path';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export type SftpServer = {
  port: number;
  /** What lands here is what the channel sees. */
  folder: string;
  /** Passwords that were tried. */
  tried: string[];
  /** Bytes of files that came in all. */
  received: number;
  /** Cuts the connection after this many bytes of a file; undefined: never. */
  cutAfter: number | undefined;
  /** Dies after this many bytes of a file: all connections break, nothing listens any more. */
  dieAfter: number | undefined;
  /** Listens again at the same port after it died. */
  revive(): Promise<void>;
  /** The server says no to renaming over a file, as older ones do. */
  plainRename: boolean;
  /** What becomes of the connection when a file is to be renamed, after so many that were; undefined: nothing. */
  atRename: { how: 'cut' | 'silence'; after: number } | undefined;
  /** Another host key from now on. */
  changeKey(): void;
  close(): Promise<void>;
};

/** Made by Node: one in 400 keys that ssh2 makes cannot be read by ssh2. */
const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString();

/** A real SFTP server on loopback over a folder of its own, with one account: kanal / geheim. */
export async function sftpServer(): Promise<SftpServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-sftp-'));
  await mkdir(join(folder, 'eingang'));
  const sockets = new Set<Socket>();
  const state: SftpServer = {
    port: 0,
    folder,
    tried: [],
    received: 0,
    cutAfter: undefined,
    dieAfter: undefined,
    revive: async () => {
      state.dieAfter = undefined;
      await listen(state.port);
    },
    plainRename: false,
    atRename: undefined,
    changeKey: () => undefined,
    close: async () => {
      die();
      await rm(folder, { recursive: true, force: true });
    },
  };
  let ssh = serve(newKey());
  let server: Server | undefined;
  function serve(hostKey: string) {
    return new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => {
        if (context.method !== 'password') return context.reject(['password']);
        state.tried.push(context.password);
        return context.username === 'kanal' && context.password === 'geheim' ? context.accept() : context.reject();
      });
      connection.on('ready', () =>
        connection.on('session', (accept) =>
          accept().on('sftp', (acceptSftp) => answer(acceptSftp(), state, connection, { die, cut, hush })),
        ),
      );
    });
  }
  function die(): void {
    server?.close();
    cut();
  }
  function cut(): void {
    for (const one of sockets) one.destroy();
  }
  /** The line stays and nothing comes any more, as where a router forgot it. */
  function hush(): void {
    for (const one of sockets) one.pause();
  }
  // Sockets of our own, so that the server can die like one whose plug is pulled.
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      const listening = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
        ssh.injectSocket(socket);
      });
      listening.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
      server = listening;
    });
  state.port = await listen(0);
  state.changeKey = () => {
    ssh = serve(newKey());
  };
  return state;
}

/** The few calls that an upload needs, over the folder. */
function answer(
  sftp: SFTPWrapper,
  state: SftpServer,
  connection: Connection,
  { die, cut, hush }: { die: () => void; cut: () => void; hush: () => void },
): void {
  const handles = new Map<number, { file?: FileHandle; names?: string[]; folder: string }>();
  let next = 0;
  const place = (path: string) => join(state.folder, normalize(`/${path}`));
  const handleOf = (handle: Buffer) => handles.get(handle.readUInt32BE(0));
  const give = (id: number, entry: { file?: FileHandle; names?: string[]; folder: string }) => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next, 0);
    handles.set(next++, entry);
    sftp.handle(id, handle);
  };
  const run = (id: number, work: () => Promise<void>) => {
    work().catch((error: NodeJS.ErrnoException) =>
      sftp.status(id, error.code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE),
    );
  };
  const ok = (id: number) => sftp.status(id, STATUS_CODE.OK);
  /** Whether a file may be renamed now; else nobody is answered any more. */
  const mayRename = () => {
    if (state.atRename === undefined || state.atRename.after-- > 0) return true;
    if (state.atRename.how === 'cut') cut();
    else hush();
    return false;
  };
  const attributes = async (path: string) => {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = await stat(path);
    return { mode, uid, gid, size, atime: atimeMs / 1000, mtime: mtimeMs / 1000 };
  };
  connection.on('close', () => {
    for (const { file } of handles.values()) file?.close().catch(() => undefined);
  });
  let received = 0;
  sftp.on('OPEN', (id, path, flags) =>
    run(id, async () => {
      const mode =
        (flags & OPEN_MODE.WRITE) === 0 ? constants.O_RDONLY : constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
      give(id, { file: await open(place(path), mode), folder: '' });
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) =>
    run(id, async () => {
      received += data.length;
      state.received += data.length;
      await handleOf(handle)?.file?.write(data, 0, data.length, offset);
      if (state.dieAfter !== undefined && received > state.dieAfter) return die();
      if (state.cutAfter !== undefined && received > state.cutAfter) connection.end();
      else ok(id);
    }),
  );
  sftp.on('FSETSTAT', (id) => ok(id));
  sftp.on('SETSTAT', (id) => ok(id));
  sftp.on('FSTAT', (id, handle) =>
    run(id, async () => {
      const stats = await handleOf(handle)?.file?.stat();
      sftp.attrs(id, { mode: 0o100644, uid: 0, gid: 0, size: stats?.size ?? 0, atime: 0, mtime: 0 });
    }),
  );
  sftp.on('CLOSE', (id, handle) =>
    run(id, async () => {
      await handleOf(handle)?.file?.close();
      handles.delete(handle.readUInt32BE(0));
      ok(id);
    }),
  );
  sftp.on('OPENDIR', (id, path) =>
    run(id, async () => give(id, { names: await readdir(place(path)), folder: place(path) })),
  );
  sftp.on('READDIR', (id, handle) =>
    run(id, async () => {
      const entry = handleOf(handle);
      const names = entry?.names?.splice(0) ?? [];
      if (!entry || names.length === 0) return sftp.status(id, STATUS_CODE.EOF);
      const entries = await Promise.all(
        names.map(async (filename) => ({
          filename,
          longname: filename,
          attrs: await attributes(join(entry.folder, filename)),
        })),
      );
      return sftp.name(id, entries);
    }),
  );
  const sendStats = (id: number, path: string) => run(id, async () => sftp.attrs(id, await attributes(place(path))));
  sftp.on('STAT', sendStats);
  sftp.on('LSTAT', sendStats);
  sftp.on('REMOVE', (id, path) =>
    run(id, async () => {
      await unlink(place(path));
      ok(id);
    }),
  );
  sftp.on('RENAME', (id, from, to) =>
    run(id, async () => {
      if (!mayRename()) return undefined;
      if (existsSync(place(to))) return sftp.status(id, STATUS_CODE.FAILURE);
      await rename(place(from), place(to));
      return ok(id);
    }),
  );
  sftp.on('EXTENDED', (id, name, data) =>
    run(id, async () => {
      if (name !== 'posix-rename@openssh.com' || state.plainRename) return sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
      if (!mayRename()) return undefined;
      const length = data.readUInt32BE(0);
      const from = data.subarray(4, 4 + length).toString();
      const to = data.subarray(8 + length).toString();
      await rename(place(from), place(to));
      return ok(id);
    }),
  );
  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [
      {
        filename: path === '.' ? '/' : path,
        longname: '',
        attrs: { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 },
      },
    ]),
  );
}

/** For tests that want to see which names a folder had at a time. */
export const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).map((name) => basename(name)).toSorted();
export const textOf = async (file: string): Promise<string> => {
  let text = '';
  for await (const chunk of createReadStream(file, 'utf8')) text += String(chunk);
  return text;
};
