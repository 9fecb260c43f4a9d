import IconAdjustments from 'virtual:icons/adjustments';
import IconArrowsExchange from 'virtual:icons/arrows-exchange';
import IconBell from 'virtual:icons/bell';
import IconBinaryTree from 'virtual:icons/binary-tree';
import IconBox from 'virtual:icons/box';
import IconChartDots from 'virtual:icons/chart-dots';
import IconChartLine from 'virtual:icons/chart-line';
import IconFileExport from 'virtual:icons/file-export';
import IconFileImport from 'virtual:icons/file-import';
import IconHistory from 'virtual:icons/history';
import IconHome from 'virtual:icons/home';
import IconListCheck from 'virtual:icons/list-check';
import IconListDetails from 'virtual:icons/list-details';
import IconPalette from 'virtual:icons/palette';
import IconSend from 'virtual:icons/send';
import IconSettings from 'virtual:icons/settings';
import IconShoppingCart from 'virtual:icons/shopping-cart';
import IconStethoscope from 'virtual:icons/stethoscope';
import IconTable from 'virtual:icons/table';
import IconTag from 'virtual:icons/tag';
import IconTags from 'virtual:icons/tags';
import IconTrash from 'virtual:icons/trash';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import { NavLink, useLocation } from 'react-router';
import type { Master } from '#shared/masters/schema.ts';
import { type Page, type PageName, pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import type { Active } from './active.ts';
import { useMay } from './session.ts';
import classes from './shell.module.css';

const icons: Partial<Record<PageName, IconComponent>> = {
  overview: IconHome,
  import: IconFileImport,
  items: IconBox,
  masterRules: IconListCheck,
  export: IconFileExport,
  exportRules: IconListCheck,
  mappings: IconArrowsExchange,
  repricer: IconTags,
  repricerDashboard: IconChartDots,
  categories: IconBinaryTree,
  brands: IconTag,
  colors: IconPalette,
  construction: IconTable,
  attributes: IconListDetails,
  diagnosis: IconStethoscope,
  transfer: IconSend,
  exportSettings: IconAdjustments,
  orders: IconShoppingCart,
  orderStatistic: IconChartLine,
  activity: IconHistory,
  trash: IconTrash,
  notifications: IconBell,
  settings: IconSettings,
};

type Entry = { name: string; page: Page };
const entries: Entry[] = Object.entries(pages).map(([name, page]) => ({ name, page }));
const inMenu = (menu: Page['menu']) => entries.filter(({ page }) => page.menu === menu);

type Links = { entries: Entry[]; params?: Record<string, string>; counts?: Record<string, number> };

function NavigationLinks({ entries: shown, params = {}, counts = {} }: Links) {
  const { pathname } = useLocation();
  /** If the menu has a page below another one, only the lower page is marked as current. */
  const isAbove = (page: Page) =>
    shown.some((other) => {
      const [path, below] = [pathTo(page, params), pathTo(other.page, params)];
      return below.startsWith(`${path}/`) && pathname.startsWith(below);
    });
  return (
    <ul className={classes.list}>
      {shown.map(({ name, page }) => {
        const Icon = Object.entries(icons).find(([iconName]) => iconName === name)?.[1] ?? IconTable;
        const count = counts[name];
        return (
          <li key={name}>
            {/* Pages stay marked on the pages below them; start pages would be marked everywhere. */}
            <NavLink
              to={pathTo(page, params)}
              end={page.menu === 'home' || name === 'export' || name === 'orders' || isAbove(page)}
              className={classes.link}
              title={page.title}
              prefetch="intent"
            >
              <Icon size={18} stroke={1.7} aria-hidden />
              <span className={classes.label}>{page.title}</span>
              {count !== undefined && <span className={classes.count}>{formatInteger(count)}</span>}
            </NavLink>
          </li>
        );
      })}
    </ul>
  );
}

function SectionTitle({ title, of }: { title: string; of?: string }) {
  return (
    <div className={classes.section}>
      {title}
      {of !== undefined && <span className={classes.sectionOf}>· {of}</span>}
    </div>
  );
}

/** The menu of screens, made from shared/pages.ts: general ones, then those of the active catalogue and of the active export. */
export function Navigation({ active: { master, exportId } }: { active: Active }) {
  const [mayRead, mayShip, mayOrders] = [useMay('read'), useMay('ship'), useMay('orders')];
  return (
    <>
      {mayRead && <NavigationLinks entries={inMenu('home')} />}
      {master !== null && <MasterLinks master={master} />}
      {exportId !== null && (
        <>
          <SectionTitle title="Export" of={master?.exports.find(({ id }) => id === exportId)?.name} />
          <NavigationLinks entries={inMenu('export')} params={{ id: exportId }} />
        </>
      )}
      {mayShip && (
        <>
          <SectionTitle title="Bestellungen" />
          <NavigationLinks entries={inMenu('orders').filter(({ name }) => mayOrders || name === 'orders')} />
        </>
      )}
      {mayRead && (
        <>
          <SectionTitle title="System" />
          <NavigationLinks entries={inMenu('system')} />
        </>
      )}
    </>
  );
}

function MasterLinks({ master }: { master: Master }) {
  return (
    <>
      <SectionTitle title="Daten" of={master.name} />
      <NavigationLinks
        entries={inMenu('master')}
        params={{ masterid: master.masterid }}
        counts={{ items: master.items }}
      />
    </>
  );
}
