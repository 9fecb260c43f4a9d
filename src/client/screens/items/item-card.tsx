import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconZoomQuestion } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { explainPath } from '#client/explain-path.ts';
import { ExplainLink } from '#client/fields/explain-link.tsx';
import { ItemExports } from '#client/fields/item-exports.tsx';
import { PriceDetails } from '#client/fields/prices/price-details.tsx';
import classes from './items.module.css';
import { ImageCell } from './image-cell.tsx';

type ItemCardProps = {
  masterid: string;
  card: AnswerOf<typeof api.item>;
  busy?: boolean;
  onClose: () => void;
  onPrevious?: () => void;
  onNext?: () => void;
};

const idTitle = 'Artikelnummer';

/** Every field of an item by its name. Values that are JSON show as a table of their own. */
export function ItemCard({ masterid, card, busy = false, onClose, onPrevious, onNext }: ItemCardProps) {
  const { data, fields } = card;
  const itemid = data['_id'] ?? '';
  const images = new Set(fields.filter(({ guess }) => guess === 'image').map(({ name }) => name));
  const buttons = (
    <div className="k-between">
      <div className="k-row">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={16} aria-hidden />}
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          Voriger
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={16} aria-hidden />}
          disabled={onNext === undefined}
          onClick={onNext}
        >
          Nächster
        </Button>
      </div>
      <Button variant="default" onClick={onClose}>
        Schließen
      </Button>
    </div>
  );
  return (
    <div className="k-stack" aria-busy={busy} style={busy ? { opacity: 0.55 } : undefined}>
      {buttons}
      <Explaining key={itemid} masterid={masterid} itemid={itemid} />
      <PriceDetails key={`${itemid} price`} masterid={masterid} itemid={itemid} />
      <KeyValues
        rows={withoutKeyTwice(data).map(([name, value]) => ({
          name: name === '_id' ? idTitle : name,
          tool:
            name === '_id' ? undefined : (
              <ExplainLink to={explainPath(masterid, itemid, { field: name })} label={`Woher kommt ${name}?`} />
            ),
          value: images.has(name) ? <ImageValue url={value} name={name} /> : <Value text={value} />,
        }))}
      />
      {buttons}
    </div>
  );
}

/** The way to where the item's values come from, and, when asked, in which exports it is. */
function Explaining({ masterid, itemid }: { masterid: string; itemid: string }) {
  const [asked, setAsked] = useState(false);
  return (
    <div className={classes.explaining}>
      <Button
        component={Link}
        to={explainPath(masterid, itemid)}
        leftSection={<IconZoomQuestion size={16} aria-hidden />}
      >
        Erklären
      </Button>
      <details onToggle={({ currentTarget }) => currentTarget.open && setAsked(true)}>
        <summary>Warum nicht im Export?</summary>
        {asked && <ItemExports masterid={masterid} itemid={itemid} />}
      </details>
    </div>
  );
}

/** The item number comes first, unless the field it was taken from bears the same title. */
function withoutKeyTwice(data: Readonly<Record<string, string | null>>): [string, string | null][] {
  const rows = Object.entries(data);
  return data[idTitle] === data['_id'] ? rows.filter(([name]) => name !== '_id') : rows;
}

type KeyValue = { name: string; value: ReactNode; tool?: ReactNode };

function KeyValues({ rows }: { rows: readonly KeyValue[] }) {
  const withTools = rows.some(({ tool }) => tool !== undefined);
  return (
    <table className={`k-table ${classes.values}`}>
      <tbody>
        {rows.map(({ name, value, tool }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            {withTools && <td className={classes.tool}>{tool}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ImageValue({ url, name }: { url: string | null; name: string }) {
  if (url === null || url === '') return <Value text={url} />;
  return (
    <div className="k-stack" style={{ gap: 6 }}>
      <ImageCell url={url} name={name} />
      <span className="k-small">{url}</span>
    </div>
  );
}

function Value({ text }: { text: string | null }) {
  if (text === null || text === '') return <span className="k-muted">–</span>;
  const nested = nestedOf(text);
  return nested === null ? text : <Nested value={nested} depth={0} />;
}

/** A JSON object or list, as imports from JSON and XML leave them in a value. */
function nestedOf(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || text.length > 100_000) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function Nested({ value, depth }: { value: object; depth: number }) {
  const rows = Object.entries(value).map(([name, inner]: [string, unknown]) => ({
    name,
    value:
      typeof inner === 'object' && inner !== null && depth < 8 ? (
        <Nested value={inner} depth={depth + 1} />
      ) : (
        plain(inner)
      ),
  }));
  return <KeyValues rows={rows} />;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
