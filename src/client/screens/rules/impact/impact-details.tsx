import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import type { ExportImpact } from '#shared/rules/effect.ts';
import { pathTo } from '#client/address.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { WordDiffText } from '#client/ui/text/word-diff-text.tsx';
import classes from './impact-panel.module.css';

type ImpactDetailsProps = { impact: ExportImpact; masterid: string };

/** One export: its changed fields with counts and examples, and the items that are removed or added. */
export function ImpactDetails({ impact, masterid }: ImpactDetailsProps) {
  const { id, name, before, after, fields, removed, added, removedItems, addedItems } = impact;
  const link = (item: string) => <Link to={explainPath(masterid, item, { exportId: id })}>{item}</Link>;
  return (
    <section className={classes.export} aria-label={name}>
      <h3>
        <Link to={pathTo(pages.export, { id })}>{name}</Link>{' '}
        <span className="k-muted k-small">
          {formatInteger(before)} → {formatInteger(after)} Artikel
        </span>
      </h3>
      {fields.length > 0 && (
        <table className="k-table">
          <thead>
            <tr>
              <th>Feld</th>
              <th className="k-number">geändert</th>
              <th className="k-number">wird leer</th>
              <th>Beispiele</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <td>
                  {field.name}
                  {field.required && <span className="k-muted"> (Pflicht)</span>}
                </td>
                <td className="k-number">{formatInteger(field.changed)}</td>
                <td className="k-number" data-bad={(field.required && field.emptied > 0) || undefined}>
                  {formatInteger(field.emptied)}
                </td>
                <td>
                  <ul className={classes.samples}>
                    {field.samples.map((sample) => (
                      <li key={sample.id}>
                        {link(sample.id)} <WordDiffText before={sample.before} after={sample.after} />
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Items
        words={`${formatCount(removed, 'fällt', 'fallen')} heraus`}
        items={removedItems}
        total={removed}
        link={link}
      />
      <Items words={`${formatCount(added, 'kommt', 'kommen')} dazu`} items={addedItems} total={added} link={link} />
    </section>
  );
}

type ItemsProps = { words: string; items: readonly string[]; total: number; link: (id: string) => React.ReactNode };

function Items({ words, items, total, link }: ItemsProps) {
  if (total === 0) return null;
  return (
    <p className={classes.items}>
      {words}:{' '}
      {items.map((item, index) => (
        <span key={item}>
          {index > 0 && ', '}
          {link(item)}
        </span>
      ))}
      {total > items.length && ` und ${formatCount(total - items.length, 'weiterer', 'weitere')}`}
    </p>
  );
}
