import { expect, it } from 'vitest';
import { startFailure } from './start-failure.ts';

const failed = (code: string, message: string, path?: string) => Object.assign(new Error(message), { code, path });
const config = { port: 3000, databaseUrl: undefined, dataFolder: '/data' };
const server = { ...config, databaseUrl: 'postgres://db.example/kontor' };

it.each([
  [
    failed('EADDRINUSE', 'listen EADDRINUSE: address already in use 127.0.0.1:3000'),
    config,
    'Der Port 3000 ist schon belegt',
  ],
  [failed('EACCES', 'listen EACCES: permission denied 127.0.0.1:80'), { ...config, port: 80 }, 'Den Port 80 darf nur'],
  [
    failed('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432'),
    server,
    'Der Datenbankserver aus DATABASE_URL ist nicht zu erreichen (ECONNREFUSED).',
  ],
  [failed('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443'), config, 'connect ECONNREFUSED 10.0.0.1:443'],
  [
    failed('EACCES', "EACCES: permission denied, mkdir '/data/items'", '/data/items'),
    config,
    'Kontor darf /data/items nicht lesen oder nicht schreiben (EACCES).',
  ],
  [
    failed('EEXIST', "EEXIST: file already exists, mkdir '/data/database'", '/data/database'),
    config,
    'Der Ordner /data/database lässt sich nicht anlegen',
  ],
  [
    failed('ENOSPC', "ENOSPC: no space left on device, open '/data/x'", '/data/x'),
    config,
    'Auf dem Datenträger von /data/x ist kein Platz mehr.',
  ],
  [failed('ENOENT', "ENOENT: no such file, open '/data/x'", '/data/x'), config, 'ENOENT: no such file'],
  [new Error('Die Einstellung PORT ist ungültig.'), undefined, 'Die Einstellung PORT ist ungültig.'],
])('says in German why the program did not start: %s', (error, settings, sentence) => {
  expect(startFailure(error, settings)).toContain(sentence);
});
