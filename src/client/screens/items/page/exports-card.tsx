import { Checkbox } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconArrowsExchange from 'virtual:icons/arrows-exchange';
import IconCircleX from 'virtual:icons/circle-x';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ItemExportValue, ItemExportValues } from '#shared/explain/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { countMarks, exportRows, markedRows, markOf } from './export-rows.ts';
import { PageCard } from './page-card.tsx';
import classes from './exports-card.module.css';
import pageClasses from './page.module.css';

type Item = { masterid: string; itemid: string };

/** Compares the exports' values of the item, a column each, with changes made on the way and the channel's likely objections. */
export function ExportsCard({ masterid, itemid }: Item) {
  return (
    <PageCard
      anchor="exporte"
      title="Exporte im Vergleich"
      className={pageClasses.wide}
      ask={(signal) => call(api.itemExportValues, { params: { masterid, itemid }, signal })}
    >
      {(exports) => <Compared masterid={masterid} itemid={itemid} exports={exports} />}
    </PageCard>
  );
}

function Compared({ masterid, itemid, exports }: Item & { exports: readonly ItemExportValues[] }) {
  const [onlyMarked, setOnlyMarked] = useState(false);
  // An item left out for its errors still has values, which show what is wrong.
  const included = exports.filter(({ inExport, values }) => inExport || values.length > 0);
  const rows = exportRows(included);
  const marked = markedRows(rows);
  if (exports.length === 0) return <p className="k-muted">Der Katalog hat noch keinen Export.</p>;
  return (
    <>
      {rows.length > 0 && (
        <div className="k-between">
          <p className="k-muted k-small">So stünden die Werte jetzt in der Datei. Ein Klick erklärt den Wert.</p>
          <Checkbox
            label={`Nur auffällige Felder (${marked.length})`}
            checked={onlyMarked}
            onChange={({ currentTarget }) => setOnlyMarked(currentTarget.checked)}
          />
        </div>
      )}
      <LeftOut masterid={masterid} itemid={itemid} exports={exports.filter(({ inExport }) => !inExport)} />
      {rows.length > 0 && (
        <ScrollRegion label="Werte in den Exporten" className={classes.compared}>
          <table className={classes.exports}>
            <thead>
              <tr>
                <th scope="col">Feld</th>
                {included.map((one) => (
                  <th key={one.id} scope="col">
                    <ExportHead exported={one} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(onlyMarked ? marked : rows).map(({ key, name, cells }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  {included.map(({ id }, index) => (
                    <td key={id} data-mark={cells[index] && markOf(cells[index])}>
                      <Cell value={cells[index]} to={explainPath(masterid, itemid, { exportId: id, field: name })} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </>
  );
}

/** Exports without the item, each with the reason. */
function LeftOut({ masterid, itemid, exports }: Item & { exports: readonly ItemExportValues[] }) {
  if (exports.length === 0) return null;
  return (
    <ul className={pageClasses.plain} aria-label="Exporte ohne diesen Artikel">
      {exports.map(({ id, name, reason }) => (
        <li key={id} className={classes.leftOut}>
          <Badge tone="red" icon={IconCircleX}>
            nicht im Export
          </Badge>
          <Link to={explainPath(masterid, itemid, { exportId: id })}>{name}</Link>
          <span className="k-muted k-small">{reason}</span>
        </li>
      ))}
    </ul>
  );
}

function ExportHead({ exported }: { exported: ItemExportValues }) {
  const { error, warning, changed } = countMarks(exported);
  const words = [
    ...(error > 0 ? [`${error} fehlerhaft`] : []),
    ...(warning > 0 ? [`${warning} mit Hinweis`] : []),
    ...(changed > 0 ? [`${changed} geändert`] : []),
  ];
  return (
    <>
      <Link to={pathTo(pages.export, { id: exported.id })}>{exported.name}</Link>
      <span className={pageClasses.second}>{words.length === 0 ? 'alles wie importiert' : words.join(' · ')}</span>
    </>
  );
}

function Cell({ value, to }: { value: ItemExportValue | undefined; to: string }) {
  if (value === undefined) return <span className="k-muted">–</span>;
  const { name, written, origin, imported, problems } = value;
  return (
    <>
      <Link to={to} className={classes.value} title={`Woher kommt ${name}?`}>
        {written === null || written === '' ? <span className={classes.empty}>leer</span> : written}
      </Link>
      {origin === 'changed' && (
        <span className={classes.note}>
          <IconArrowsExchange size={14} aria-hidden />
          <span className={classes.clamped}>
            geändert, Import: {imported === null || imported === '' ? 'leer' : imported}
          </span>
        </span>
      )}
      {problems.map(({ severity, sentence }) => (
        <span key={sentence} className={classes.note} data-severity={severity}>
          {severity === 'error' ? <IconCircleX size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
          <span>{sentence}</span>
        </span>
      ))}
    </>
  );
}
