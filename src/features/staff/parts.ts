import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { LinkMaker } from '../../core/model/person/visit.ts';
import type { Layout } from '../../pages/person/layout.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Events } from '../../ports/events.ts';
import type { HostedLinks } from '../../ports/hosted-links.ts';
import type { JournalReports } from '../../ports/journal.ts';
import type { People } from '../../ports/people.ts';
import type { PersonData } from '../../ports/person-data.ts';
import type { Platform, PlatformWatch } from '../../ports/platform.ts';
import type { KeyedHash, Seal } from '../../ports/seal.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import type { StuckTasks } from '../../ports/stuck-tasks.ts';
import type { Wordings } from '../../ports/wordings.ts';
import type { StaffSessions } from '../../visits/session.ts';
import type { PageParts } from '../../web/page-parts.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { SignInWays } from './plain.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { TakeKey } from './staff-key.ts';

/** The parts that the staff pages use. By its type, only `delivery` can write consent. */
export interface StaffParts extends Omit<PageParts, 'publicUrl'> {
  readonly sessions: StaffSessions;
  readonly log: StaffLog;
  readonly ways: SignInWays;
  readonly takeKey: TakeKey;
  readonly singleSignOn: SingleSignOn | undefined;
  readonly failedSignIns: FailedSignIns;
  readonly platform: Omit<Platform, 'updateConsent' | 'withdrawAll'>;
  readonly watch: PlatformWatch;
  readonly hourlyQuota: number | undefined;
  readonly journal: JournalReports & Pick<People, 'find'>;
  readonly delivery: Pick<Delivery, 'submit'>;
  /** Tries the submission again; false when it is not pending. */
  readonly retry: (reference: string) => Promise<boolean>;
  readonly wordings: Wordings;
  readonly stuckTasks: Pick<StuckTasks, 'find'>;
  readonly identifiers: Pick<Identifiers, 'read' | 'rule'>;
  readonly seal: Seal & KeyedHash;
  readonly links: StaffLinks;
  readonly personData: Pick<PersonData, 'exported' | 'erase'>;
  /** Sentences about the data that stay when a person is erased, and why. */
  readonly whatStays: readonly string[];
  readonly events: Pick<Events, 'queuesOf' | 'sendAgain'>;
  readonly receivers: readonly { readonly id: string; readonly center: string; readonly host: string }[];
  readonly hostedLinks: Pick<HostedLinks, 'counts'>;
}

/** Links to the product's own pages that staff make for a person. */
export interface StaffLinks {
  /**
   * The way in which `make` delivers the link. `mailed`: to the person alone; `shown`: to staff, because no
   * mail reaches the person.
   */
  deliveryOf(centerConfig: CenterConfig, subject: SubjectId): 'mailed' | 'shown';
  /**
   * Mails the link to the person alone. If no mail reaches the person, returns a link that only withdraws,
   * for staff to see.
   */
  make(change: {
    readonly centerConfig: CenterConfig;
    /** The center's own name. */
    readonly title: string | undefined;
    readonly language: string;
    readonly subject: SubjectId;
    readonly maker: LinkMaker;
  }): Promise<LinkMade>;
}

/** The result of `make`. `copy`: the message to the person without its link, which only the person gets. */
export type LinkMade =
  | {
      readonly kind: 'mailed';
      readonly copy: Pick<Layout, 'lang' | 'dir'> & { readonly subject: string; readonly text: string };
    }
  | { readonly kind: 'shown'; readonly href: string };
