import IconLayoutSidebarLeftCollapse from 'virtual:icons/layout-sidebar-left-collapse';
import IconLayoutSidebarLeftExpand from 'virtual:icons/layout-sidebar-left-expand';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, Outlet, useLoaderData, useLocation, useNavigation, useParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { lastUsedOf, readCookie } from '#shared/http/cookies.ts';
import { writeCookie } from '#client/cookies.ts';
import { asking } from '#client/loading.ts';
import { activeOf, rememberActive } from './active.ts';
import { NavigationDrawer } from './drawer.tsx';
import { FailurePage } from './failure-page.tsx';
import { Header } from './header.tsx';
import { HeartCounter } from './heart-counter.tsx';
import { HeldLoadNotice } from './held-load-notice.tsx';
import { LiveProvider } from './live-status.tsx';
import { OnboardingBar, useHeaderInfo } from './messages.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { ShortcutOpener } from '#client/shell/shortcuts/shortcut-opener.tsx';
import { Switchers } from './switcher.tsx';

const narrowCookie = 'kontor_navigation';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const cookies = args.request.headers.get('cookie') ?? '';
  const session = await ask(api.session);
  const [masters, info, { connectors }, { html: counters }] = await Promise.all([
    session.permissions.includes('read') ? ask(api.masters) : [],
    ask(api.header),
    ask(api.marketplaceConnectors),
    ask(api.liveComponentFirst, { params: { component: 'header-counters' } }),
  ]);
  const narrow = readCookie(cookies, narrowCookie) === 'schmal';
  return { session, masters, info, counters, connectors, last: lastUsedOf(cookies), narrow };
}

/** Frame of every screen: header, navigation, and the screen next to it. */
export default function Shell() {
  const { session, masters, info: first, counters, last, narrow: wasNarrow } = useLoaderData<typeof loader>();
  const info = useHeaderInfo(first);
  const active = activeOf(masters, useParams(), last);
  const [drawer, setDrawer] = useState(false);
  const [narrow, setNarrow] = useState(wasNarrow);
  const { pathname } = useLocation();

  const { master, exportId } = active;
  const mayRead = session.permissions.includes('read');
  useEffect(() => rememberActive({ master, exportId }), [master, exportId]);
  useEffect(() => setDrawer(false), [pathname]);

  const toggleNarrow = () => {
    writeCookie(narrowCookie, narrow ? '' : 'schmal');
    setNarrow(!narrow);
  };

  return (
    <LiveProvider company={session.company.id}>
      <div className={narrow ? `${classes.shell} ${classes.narrow}` : classes.shell}>
        <a href="#inhalt" className={classes.skip}>
          Zum Inhalt springen
        </a>
        <Loading />
        <Header
          session={session}
          masters={masters}
          active={active}
          unread={info.messages.count}
          counters={counters}
          onMenu={() => setDrawer(true)}
        />
        <nav className={classes.nav} aria-label="Hauptnavigation">
          <Navigation active={active} />
          <div className={classes.fill} />
          <HeartCounter />
          <NarrowToggle narrow={narrow} onToggle={toggleNarrow} />
        </nav>
        <NavigationDrawer opened={drawer} onClose={() => setDrawer(false)}>
          <Switchers masters={masters} active={active} />
          <nav aria-label="Hauptnavigation">
            <Navigation active={active} />
          </nav>
          <HeartCounter />
        </NavigationDrawer>
        <main id="inhalt" className={classes.main} tabIndex={-1}>
          {mayRead && !info.info.active && <OnboardingBar />}
          <HeldLoadNotice />
          <Outlet />
        </main>
        <ShortcutOpener />
      </div>
    </LiveProvider>
  );
}

function NarrowToggle({ narrow, onToggle }: { narrow: boolean; onToggle: () => void }) {
  const Icon = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const text = narrow ? 'Navigation ausklappen' : 'Navigation einklappen';
  return (
    <button type="button" className={classes.link} onClick={onToggle} aria-label={text} title={text}>
      <Icon size={18} stroke={1.7} aria-hidden />
      <span className={classes.label}>Einklappen</span>
    </button>
  );
}

/** A thin bar while the next page is loading; it shows only after 200 ms. */
function Loading() {
  const { state } = useNavigation();
  return state === 'loading' ? <div className={classes.progress} role="presentation" /> : null;
}

export function ErrorBoundary() {
  return (
    <main style={{ maxWidth: 640, margin: '10vh auto', padding: 24 }}>
      <FailurePage />
    </main>
  );
}
