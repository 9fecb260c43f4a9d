import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import IconLogout from 'virtual:icons/logout';
import IconMenu2 from 'virtual:icons/menu-2';
import IconMoon from 'virtual:icons/moon';
import IconSun from 'virtual:icons/sun';
import IconUser from 'virtual:icons/user';
import IconUserCircle from 'virtual:icons/user-circle';
import { Link } from 'react-router';
import type { Session } from '#shared/account/schema.ts';
import type { Master } from '#shared/masters/schema.ts';
import { pages } from '#shared/pages.ts';
import { failureOf } from '#client/failure.ts';
import { LiveComponent } from '#client/live-components/live-component.tsx';
import { Disclosure } from '#client/ui/disclosure.tsx';
import { showFailure } from '#client/ui/notices.tsx';
import type { Active } from './active.ts';
import { MessageBadge } from './messages.tsx';
import { PaletteOpener } from './palette/palette-opener.tsx';
import classes from './header.module.css';
import shellClasses from './shell.module.css';
import { StatusChips } from './status-chips.tsx';
import { Switchers } from './switcher.tsx';
import { useSignOut } from './use-sign-out.ts';

type HeaderProps = {
  session: Session;
  masters: readonly Master[];
  active: Active;
  unread: number;
  /** HTML of the live component that counts what is pending. */
  counters: string;
  onMenu: () => void;
};

/** Header of every page: company, catalogue and export, search, colours, account. */
export function Header({ session, masters, active, unread, counters, onMenu }: HeaderProps) {
  const mayRead = session.permissions.includes('read');
  return (
    <header className={classes.header}>
      <div className={classes.narrowOnly}>
        <button type="button" className={classes.iconButton} aria-label="Navigation öffnen" onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </button>
      </div>
      <Link to={pages.overview.path} className={classes.company}>
        {session.company.name}
      </Link>
      <div className={classes.wide} style={{ minWidth: 0, marginLeft: 8 }}>
        <Switchers masters={masters} active={active} />
      </div>
      <div className={shellClasses.fill} />
      <div className={classes.wide}>
        <StatusChips master={active.master} />
      </div>
      <div className={classes.counters}>
        <LiveComponent html={counters} />
      </div>
      {mayRead && <PaletteOpener masters={masters} active={active} />}
      {mayRead && <MessageBadge count={unread} />}
      <ColorSchemeToggle />
      <AccountMenu session={session} />
    </header>
  );
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme('light');
  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label="Zwischen heller und dunkler Darstellung wechseln"
      onClick={() => setColorScheme(computed === 'dark' ? 'light' : 'dark')}
    >
      <IconMoon size={20} stroke={1.7} aria-hidden style={{ display: 'var(--k-moon)' }} />
      <IconSun size={20} stroke={1.7} aria-hidden style={{ display: 'var(--k-sun)' }} />
    </button>
  );
}

function AccountMenu({ session }: { session: Session }) {
  const end = useSignOut();
  const signOut = async () => {
    try {
      await end();
    } catch (error) {
      showFailure(failureOf('Fehler beim Abmelden', error));
    }
  };
  return (
    <Disclosure
      className={classes.iconButton}
      align="end"
      label={`Konto von ${session.user.name}`}
      button={<IconUserCircle size={22} stroke={1.7} aria-hidden />}
    >
      {(close) => (
        <>
          <p className={classes.who}>
            {session.user.name}
            <br />
            {session.user.email}
          </p>
          <Link to={pages.account.path} className={classes.item} onClick={close}>
            Konto
            <IconUser size={16} aria-hidden />
          </Link>
          <button type="button" className={classes.item} onClick={() => void signOut()}>
            Abmelden
            <IconLogout size={16} aria-hidden />
          </button>
        </>
      )}
    </Disclosure>
  );
}
