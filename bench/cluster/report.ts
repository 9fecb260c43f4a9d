import type { Disturbances } from './disturbances.ts';
import type { Probe } from './probe.ts';
import type { Cluster } from './stage.ts';
import { busyAnswers, type Firm } from '../long-run/firms.ts';
import type { Journal } from '../long-run/journal.ts';
import type { Load } from '../long-run/load.ts';
import type { Notes } from '../long-run/notes.ts';
import { sentTwice } from '../long-run/orders.ts';
import { tableOf, verdictOf } from '../long-run/verdict.ts';

/** Limit in seconds for taking over the jobs of a dead process (I10), and for answering with 5xx. */
const TAKE_OVER_SECONDS = 60;

type Ran = {
  cluster: Cluster;
  disturbances: Disturbances;
  probes: readonly Probe[];
  load: Load;
  journal: Journal;
  firms: readonly Firm[];
  notes: Notes;
  minutes: number;
};

/** Prints the results; returns whether all is well. */
export function clusterReport(ran: Ran, before: readonly string[]): boolean {
  const { cluster, disturbances, probes, load, journal, firms, notes, minutes } = ran;
  const faults = [...before, ...slowFaults(disturbances, probes), ...endFaults(cluster)];
  console.log(`\n${tableOf([...notes.series.values()].map(verdictOf))}\n`);
  console.log('| Prozess | getötet | Starts, s | vergebliche Starts |\n| --- | ---: | --- | --- |');
  for (const { name, starts, refused } of cluster.processes)
    console.log(
      `| ${name} | ${disturbances.kills.get(name) ?? 0} | ${starts.map((ms) => (ms / 1000).toFixed(1)).join(' ')} | ${refused.length} ${lastLine(refused[0])} |`,
    );
  console.log(
    '\n| gefragt | Antworten | langsamste, s | 5xx oder niemand, s (Minute: was) |\n| --- | ---: | ---: | --- |',
  );
  for (const { name, asked, slowestMs, outages } of probes) {
    const list = outages.map(({ minute, seconds, said }) => `${seconds.toFixed(1)} (${minute.toFixed(1)}: ${said})`);
    console.log(`| ${name} | ${asked} | ${(slowestMs / 1000).toFixed(1)} | ${list.join('; ') || 'nie'} |`);
  }
  const seconds = disturbances.takeOvers.map((one) => one.seconds).toSorted((one, other) => one - other);
  const at = (share: number) => (seconds[Math.floor((seconds.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `\n${minutes.toFixed(1)} Minuten, ${[...disturbances.kills.values()].reduce((sum, one) => sum + one, 0)} Abbrüche; Übernahmen: ${seconds.length}, Median ${at(0.5)} s, längste ${at(1)} s; Datenbank fort ${disturbances.databaseSeconds.map((one) => one.toFixed(1)).join(' ')} s, Dateispeicher ${disturbances.storeSeconds.map((one) => one.toFixed(0)).join(' ')} s`,
  );
  console.log(
    `${journal.uploads} Uploads, ${journal.exports} Ausgaben, ${journal.saves} Speicherungen, ${load.pulls} Abrufe, ${load.bought} Bestellungen, ${load.screens} Seiten, ${busyAnswers.count} Antworten 503; ${sentTwice(firms).join(', ')}`,
  );
  for (const fault of faults) console.log(`FEHLER: ${fault}`);
  if (faults.length === 0)
    console.log(
      'Nichts verloren, nichts zweimal gesendet, nichts außerhalb der Grenzen, jede Datei ganz, kein Lauf hängt.',
    );
  return faults.length === 0;
}

function slowFaults({ takeOvers }: Disturbances, probes: readonly Probe[]): string[] {
  return [
    ...takeOvers
      .filter(({ seconds }) => seconds > TAKE_OVER_SECONDS)
      .map(({ from, kind, seconds }) => `${kind} von ${from} wurde erst nach ${seconds.toFixed(0)} s übernommen`),
    ...probes.flatMap(({ name, outages }) =>
      outages
        .filter(({ seconds }) => seconds > TAKE_OVER_SECONDS)
        .map(
          ({ minute, seconds, said }) => `${name} ab Minute ${minute.toFixed(1)} ${seconds.toFixed(0)} s lang: ${said}`,
        ),
    ),
  ];
}

/** Returns processes that ended without being killed. */
const endFaults = ({ processes }: Cluster): string[] =>
  processes.flatMap(({ name, ends }) => ends.map((how) => `${name} endete von selbst: ${how}`));

const lastLine = (text = ''): string => text.trim().split('\n').at(-1)?.slice(0, 160) ?? '';
