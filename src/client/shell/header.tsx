import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconMenu2, IconMoon, IconSun, IconUser, IconUserCircle } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import type { Session } from '#shared/account.ts';
import { api } from '#shared/api.ts';
import type { Master } from '#shared/masters.ts';
import { pages } from '#shared/pages.ts';
import { call } from '../call.ts';
import { failureOf } from '../failure.ts';
import { showFailure } from '../ui/notices.tsx';
import type { Active } from './active.ts';
import classes from './shell.module.css';
import { Switchers } from './switcher.tsx';

type HeaderProps = { session: Session; masters: readonly Master[]; active: Active; onMenu: () => void };

/** Company, catalogue and export, colours, account. */
export function Header({ session, masters, active, onMenu }: HeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.narrowOnly}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Navigation öffnen"
          onClick={onMenu}
          c="var(--k-text)"
        >
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      </div>
      <Link to={pages.overview.path} className={classes.company}>
        {session.company.name}
      </Link>
      <div className={classes.wide} style={{ minWidth: 0, marginLeft: 8 }}>
        <Switchers masters={masters} active={active} />
      </div>
      <div className={classes.fill} />
      <ColorSchemeToggle />
      <AccountMenu session={session} />
    </header>
  );
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme('light');
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      c="var(--k-text)"
      aria-label="Zwischen heller und dunkler Darstellung wechseln"
      onClick={() => setColorScheme(computed === 'dark' ? 'light' : 'dark')}
    >
      <IconMoon size={20} stroke={1.7} aria-hidden style={{ display: 'var(--k-moon)' }} />
      <IconSun size={20} stroke={1.7} aria-hidden style={{ display: 'var(--k-sun)' }} />
    </ActionIcon>
  );
}

function AccountMenu({ session }: { session: Session }) {
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await call(api.signOut);
      await navigate(pages.login.path);
    } catch (error) {
      showFailure(failureOf('Fehler beim Abmelden', error));
    }
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" c="var(--k-text)" aria-label={`Konto von ${session.user.name}`}>
          <IconUserCircle size={22} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="var(--k-muted)">
          {session.user.name}
          <br />
          {session.user.email}
        </Menu.Label>
        <Menu.Item component={Link} to={pages.account.path} leftSection={<IconUser size={16} aria-hidden />}>
          Konto
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Abmelden
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
