import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { api } from '#shared/http/api.ts';
import type { Export } from '#shared/exports/schema.ts';
import { addressOf } from '#client/call.ts';
import { formatBytes, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import classes from './export.module.css';

/** The file that is served now. */
export function FileCard({ exportId, file }: { exportId: string; file: Export['file'] }) {
  if (file === null) {
    return (
      <section className="k-card" aria-labelledby="datei">
        <h2 id="datei">Datei</h2>
        <p className="k-muted">Es gibt noch keine Datei. Der erste erfolgreiche Lauf schreibt sie.</p>
      </section>
    );
  }
  const facts = [
    { name: 'Name', value: file.name },
    { name: 'Artikel', value: formatInteger(file.items) },
    { name: 'Größe', value: formatBytes(file.bytes) },
    { name: 'Erstellt', value: formatTime(file.createdAt) },
    { name: 'Zuletzt abgerufen', value: file.lastFetchedAt === null ? 'noch nie' : formatTime(file.lastFetchedAt) },
    { name: 'Abrufe', value: formatInteger(file.fetches) },
  ];
  return (
    <section className="k-card k-stack" aria-labelledby="datei">
      <div className="k-between">
        <h2 id="datei">Datei</h2>
        <Button
          component="a"
          href={addressOf(api.exportFile, { params: { id: exportId } })}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Herunterladen
        </Button>
      </div>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
