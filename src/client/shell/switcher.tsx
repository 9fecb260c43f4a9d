import IconCheck from 'virtual:icons/check';
import IconChevronDown from 'virtual:icons/chevron-down';
import { Link, useLocation } from 'react-router';
import type { Master } from '#shared/masters/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { Disclosure } from '#client/ui/disclosure.tsx';
import { type Active, switchedPages } from './active.ts';
import classes from './shell.module.css';
import headerClasses from './header.module.css';

type Choice = { id: string; name: string; to: string };

function Switcher({ kind, chosen, choices }: { kind: string; chosen: string | null; choices: Choice[] }) {
  const name = choices.find(({ id }) => id === chosen)?.name ?? 'wählen';
  return (
    <Disclosure
      className={headerClasses.switcher}
      button={
        <>
          <span className={headerClasses.switcherKind}>{kind}</span>
          <span className={headerClasses.switcherName}>{name}</span>
          <span className="k-hidden">wechseln</span>
          <IconChevronDown size={14} aria-hidden />
        </>
      }
    >
      {(close) => (
        <ul className={classes.list}>
          {choices.map(({ id, name: title, to }) => (
            <li key={id}>
              <Link
                to={to}
                className={headerClasses.item}
                aria-current={id === chosen ? 'true' : undefined}
                onClick={close}
              >
                {title}
                {id === chosen && <IconCheck size={16} aria-hidden />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

/** Switches catalogue or export and stays on the same kind of screen if there is one. */
export function Switchers({ masters, active }: { masters: readonly Master[]; active: Active }) {
  const { pathname } = useLocation();
  const { master, exportId } = active;
  if (master === null) return null;
  const { ofMaster, ofExport } = switchedPages(pathname);
  return (
    <div className={headerClasses.switchers}>
      <Switcher
        kind="Katalog"
        chosen={master.masterid}
        choices={masters.map(({ masterid, name, items }) => ({
          id: masterid,
          name,
          to: pathTo(items === 0 ? pages.import : ofMaster, { masterid }),
        }))}
      />
      {master.exports.length > 0 && (
        <Switcher
          kind="Export"
          chosen={exportId}
          choices={master.exports.map(({ id, name }) => ({ id, name, to: pathTo(ofExport, { id }) }))}
        />
      )}
    </div>
  );
}
