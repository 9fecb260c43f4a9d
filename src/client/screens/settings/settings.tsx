import IconExternalLink from 'virtual:icons/external-link';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { asking } from '#client/loading.ts';
import { useSession } from '#client/shell/session.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Members } from './members.tsx';
import { QuotaCard } from './quota-card.tsx';
import { SignInPolicyCard } from './sign-in-policy.tsx';
import { Tokens } from './tokens.tsx';

/** Only administrators get members and tokens; everyone else sees the page without them. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { permissions } = await ask(api.session);
  if (!permissions.includes('admin')) return { admin: null };
  const [members, invitations, policy, tokens, uses] = await Promise.all([
    ask(api.members),
    ask(api.invitations),
    ask(api.signInPolicy),
    ask(api.tokens),
    ask(api.quotas),
  ]);
  return { admin: { members, invitations, policy, tokens, uses, now: Date.now() } };
}

export default function Settings() {
  const { admin } = useLoaderData<typeof loader>();
  const session = useSession();
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader
        title="Einstellungen"
        lead={session === null ? undefined : `Gelten für alle bei ${session.company.name}.`}
      />
      {admin === null ? (
        <p className="k-card">Benutzer und API-Zugänge verwalten nur Inhaber und Administratoren.</p>
      ) : (
        <>
          <Members
            members={admin.members}
            invitations={admin.invitations}
            mail={admin.policy.mail}
            ownId={session?.user.id ?? ''}
          />
          <SignInPolicyCard policy={admin.policy} owner={session?.role === 'owner'} />
          <Tokens tokens={admin.tokens} now={admin.now} />
          <QuotaCard uses={admin.uses} />
        </>
      )}
      {admin !== null && (
        <section className="k-card" aria-labelledby="kanaele">
          <h2 id="kanaele">Kanäle</h2>
          <p className="k-muted">
            Verkäuferkonten bei Marktplätzen, über die der Repricer Angebote liest und Preise sendet.
          </p>
          <p>
            <Link to={pathTo(pages.marketplaceAccounts)}>Verkäuferkonten einrichten</Link>
          </p>
        </section>
      )}
      {admin !== null && (
        <section className="k-card" aria-labelledby="meldungen">
          <h2 id="meldungen">Benachrichtigungen</h2>
          <p className="k-muted">
            Was schiefgeht, steht in Kontor. Es kann auch per E-Mail und an Ihre Programme gehen.
          </p>
          <p>
            <Link to={pathTo(pages.notificationSettings)}>E-Mail und Webhooks einstellen</Link>
          </p>
        </section>
      )}
      {admin !== null && (
        <section className="k-card" aria-labelledby="protokoll">
          <h2 id="protokoll">Sicherheitsprotokoll</h2>
          <p className="k-muted">Wer sich angemeldet, Zugänge angelegt, Dateien geholt oder etwas freigegeben hat.</p>
          <p>
            <Link to={pathTo(pages.securityLog)}>Sicherheitsprotokoll öffnen</Link>
          </p>
        </section>
      )}
      {session?.role === 'owner' && (
        <section className="k-card" aria-labelledby="firmendaten">
          <h2 id="firmendaten">Firmendaten</h2>
          <p className="k-muted">Alles herunterladen, was zu dieser Firma gespeichert ist, oder die Firma löschen.</p>
          <p>
            <Link to={pathTo(pages.companyData)}>Firmendaten öffnen</Link>
          </p>
        </section>
      )}
      {session?.role === 'owner' && (
        <section className="k-card" aria-labelledby="betrieb">
          <h2 id="betrieb">Betrieb</h2>
          <p className="k-muted">Sicherung und Wiederherstellung, für den, der diese Installation betreibt.</p>
          <p>
            <Link to={pathTo(pages.operations)}>Betrieb ansehen</Link>
          </p>
        </section>
      )}
      <section className="k-card" aria-labelledby="schnittstelle">
        <h2 id="schnittstelle">Schnittstelle</h2>
        <p className="k-muted">Alles, was Sie hier bedienen, können auch Ihre Programme aufrufen.</p>
        <p>
          <a href="/api/docs" className="k-row" style={{ display: 'inline-flex' }}>
            Dokumentation der API
            <IconExternalLink size={16} aria-hidden />
          </a>
        </p>
      </section>
    </div>
  );
}
