import type { ReactNode } from 'react';
import { addressesOf } from '#shared/items/image-addresses.ts';
import classes from '#client/screens/items/items.module.css';

export type KeyValue = { name: string; value: ReactNode; tool?: ReactNode };

/** Names and values as a table; JSON values as a nested table. */
export function KeyValues({ rows }: { rows: readonly KeyValue[] }) {
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

/** The addresses of a picture field; the pictures themselves are shown above. */
export function Addresses({ value }: { value: string | null }) {
  const addresses = addressesOf(value ?? '');
  if (addresses.length === 0) return <Value text={null} />;
  return (
    <ul className={classes.addresses}>
      {addresses.map((address, index) => (
        <li key={index}>
          {/^https?:/i.test(address) ? (
            <a href={address} target="_blank" rel="noreferrer">
              {address}
            </a>
          ) : (
            address
          )}
        </li>
      ))}
    </ul>
  );
}

/** A value of an item. */
export function Value({ text }: { text: string | null }) {
  if (text === null || text === '') return <span className="k-muted">–</span>;
  const nested = nestedOf(text);
  return nested === null ? text : <Nested value={nested} depth={0} />;
}

/** Parses a value that is a JSON object or list, as imports from JSON and XML produce. */
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
