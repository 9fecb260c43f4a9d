import { claimData } from '#operations/claim-data.ts';
import { startFailure } from '#operations/start-failure.ts';
import { type Config, readConfig, unknownSettings } from '#platform/config.ts';
import { refuseMissingLibrary } from '#platform/duckdb/library-file.ts';
import { makeLog } from '#platform/telemetry/log.ts';

// Runs the program: starts it, prints its addresses, and shuts down gracefully on a signal (within 30 s).
// Lines that cannot be written (a closed terminal, a log collector that restarts, a full disk) end neither.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
let config: Config | undefined;
let log = makeLog('info');
try {
  config = readConfig(process.env);
  log = makeLog(config.logLevel);
  for (const { name, meant } of unknownSettings(process.env)) {
    const hint = meant === undefined ? 'Alle Einstellungen nennt README.md.' : `Gemeint ist wohl ${meant}.`;
    console.warn(`\nAchtung: ${name} ist keine Einstellung von Kontor und bleibt ohne Wirkung. ${hint}`);
  }
  refuseMissingLibrary();
  // The database opens in its own thread while this one loads the program's thousand modules; each takes about a second.
  const claim = claimData(config);
  const { startKontor } = await import('./main.ts');
  const kontor = await startKontor(config, { log, dev: process.argv.includes('--dev'), claim });
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), 30_000).unref();
    kontor.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  // A script that reads these lines may stop the program at once.
  console.log(`\nKontor läuft: ${kontor.url}`);
  if (kontor.demo) console.log(`Anmeldung:    ${kontor.demo.email}\nPasswort:     ${kontor.demo.password}`);
  console.log(`API:          ${kontor.url}/api/docs\n`);
} catch (error) {
  log.fatal({ err: error }, 'start failed');
  console.error(`\nKontor konnte nicht starten: ${startFailure(error, config)}\n`);
  process.exit(1);
}
