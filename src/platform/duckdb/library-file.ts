import { createRequire } from 'node:module';

/**
 * Refuses an installation without DuckDB's library for this system, as it is when the packages were copied from another system. The
 * library is loaded with the first job, which would fail long after the start; its file is only looked for, as loading it takes 40 MB.
 * @throws a German sentence
 */
export function refuseMissingLibrary({ platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process): void {
  const name = `@duckdb/node-bindings-${platform}-${arch}`;
  // npm installs the one that fits the system's C library.
  const names = platform === 'linux' ? [name, `${name}-musl`] : [name];
  if (!names.some((one) => isInstalled(`${one}/duckdb.node`)))
    throw new Error(
      `In dieser Installation fehlt DuckDB für dieses System (${platform}-${arch}). Damit liefe kein Import und kein Export. ` +
        'Wahrscheinlich wurde node_modules von einem anderen System kopiert oder ohne optionale Pakete installiert. ' +
        'Bitte löschen Sie den Ordner node_modules und rufen Sie npm start auf: Das installiert die Pakete neu.',
    );
}

/** Whether a file is found from where the library looks for it. */
function isInstalled(file: string): boolean {
  try {
    const api = createRequire(import.meta.url).resolve('@duckdb/node-api');
    const bindings = createRequire(api).resolve('@duckdb/node-bindings');
    createRequire(bindings).resolve(file);
    return true;
  } catch {
    return false;
  }
}
