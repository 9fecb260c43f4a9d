import { Menu } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { Link, matchPath, useLocation } from 'react-router';
import type { Master } from '#shared/masters.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '../address.ts';
import type { Active } from './active.ts';
import classes from './shell.module.css';

type Choice = { id: string; name: string; to: string };

function Switcher({ kind, chosen, choices }: { kind: string; chosen: string | null; choices: Choice[] }) {
  const name = choices.find(({ id }) => id === chosen)?.name ?? 'wählen';
  return (
    <Menu position="bottom-start" width="target" styles={{ dropdown: { minWidth: 240 } }}>
      <Menu.Target>
        <button type="button" className={classes.switcher}>
          <span className={classes.switcherKind}>{kind}</span>
          <span className={classes.switcherName}>{name}</span>
          <span className="k-hidden">wechseln</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {choices.map(({ id, name: title, to }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={to}
            aria-current={id === chosen ? 'true' : undefined}
            rightSection={id === chosen ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Changes catalogue or export and stays on the same kind of screen where there is one. */
export function Switchers({ masters, active }: { masters: readonly Master[]; active: Active }) {
  const { pathname } = useLocation();
  const { master, exportId } = active;
  if (master === null) return null;
  const masterPage = [pages.import, pages.masterRules].find((page) => matchPath(page.path, pathname)) ?? pages.items;
  const exportPage =
    [pages.exportRules, pages.construction, pages.exportSettings].find((page) => matchPath(page.path, pathname)) ??
    pages.export;
  return (
    <div className={classes.switchers}>
      <Switcher
        kind="Katalog"
        chosen={master.masterid}
        choices={masters.map(({ masterid, name, items }) => ({
          id: masterid,
          name,
          to: pathTo(items === 0 ? pages.import : masterPage, { masterid }),
        }))}
      />
      {master.exports.length > 0 && (
        <Switcher
          kind="Export"
          chosen={exportId}
          choices={master.exports.map(({ id, name }) => ({ id, name, to: pathTo(exportPage, { id }) }))}
        />
      )}
    </div>
  );
}
