import { Loader } from '@mantine/core';
import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { RunDifference } from '#shared/difference/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

/** DIF-03: what a run would change compared with the state in force, with examples and causes. */
export function RunDifferenceView({ runid }: { runid: string }) {
  const question = useMemo(() => ({ runid }), [runid]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => call(api.runDifference, { params: { runid }, signal }),
    { delay: 0 },
  );
  if (failure !== null) return <ErrorNotice failure={failure} onRetry={retry} />;
  if (answer === null) return busy ? <Loader size="sm" role="img" aria-label="Unterschiede werden geladen" /> : null;
  return <DifferenceTable difference={answer} />;
}

function DifferenceTable({ difference }: { difference: RunDifference }) {
  const { before, after, removed, added, changed, fields, drifts, samples, causes } = difference;
  return (
    <div className="k-stack">
      <p>
        {formatInteger(before)} → {formatInteger(after)} Artikel: {formatInteger(removed)} entfallen,{' '}
        {formatInteger(added)} neu, {formatInteger(changed)} geändert.
      </p>
      {causes.length > 0 && (
        <ul aria-label="Ursachen">
          {causes.map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
      )}
      {drifts.length > 0 && (
        <ul aria-label="Auffälligkeiten">
          {drifts.map(({ field, kind, sentence }) => (
            <li key={`${field} ${kind}`}>{sentence}</li>
          ))}
        </ul>
      )}
      {fields.length > 0 && (
        <p>
          Geänderte Werte:{' '}
          {fields
            .slice(0, 8)
            .map(({ field, changed: count }) => `${field} (${formatInteger(count)})`)
            .join(', ')}
          {fields.length > 8 && ` und ${formatCount(fields.length - 8, 'weiteres Feld', 'weitere Felder')}`}
        </p>
      )}
      <Names title="Beispiele für entfallende Artikel" items={samples.removed} />
      <Names title="Beispiele für neue Artikel" items={samples.added} />
      {samples.changed.length > 0 && <Changes items={samples.changed} />}
    </div>
  );
}

type Sample = RunDifference['samples']['changed'][number];

function Names({ title, items }: { title: string; items: readonly Sample[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <p className="k-strong">{title}</p>
      <ul>
        {items.map(({ id, title: name }) => (
          <li key={id}>
            <code>{id}</code> {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changes({ items }: { items: readonly Sample[] }) {
  return (
    <ScrollRegion label="Beispiele für geänderte Artikel">
      <table className="k-table">
        <caption style={{ textAlign: 'left' }}>Beispiele für geänderte Artikel</caption>
        <thead>
          <tr>
            <th scope="col">Artikel</th>
            <th scope="col">Feld</th>
            <th scope="col">Bisher</th>
            <th scope="col">Neu</th>
          </tr>
        </thead>
        <tbody>
          {items.flatMap(({ id, fields }) =>
            fields.slice(0, 5).map(({ field, before, after }) => (
              <tr key={`${id} ${field}`}>
                <td>{id}</td>
                <td>{field}</td>
                <td style={{ overflowWrap: 'anywhere' }}>{before ?? '–'}</td>
                <td style={{ overflowWrap: 'anywhere' }}>{after ?? '–'}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
