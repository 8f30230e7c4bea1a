import { type StaffPageContext, staffPage } from '../../src/features/staff/page.ts';
import { buildReceiversPage, type ReceiverState } from '../../src/features/staff/receivers.ts';
import type { StaffPage } from '../../src/pages/staff-page.ts';
import { books } from '../kit/sandbox-ids.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const well: ReceiverState = {
  id: 'well',
  center: 'books',
  host: 'mail.harbour-books.example',
  waiting: 0,
  held: 0,
  oldestAt: undefined,
  stoppedAt: undefined,
  problem: undefined,
};
const behind = { oldestAt: noon - 4 * 86_400_000, waiting: 1_204 };

/** Pages of event receivers: none, all without problems, and some with problems after a resend. */
export function receiverPages(pageContext: StaffPageContext): Readonly<Record<string, StaffPage>> {
  const page = (receivers: readonly ReceiverState[], sentTo = '') =>
    staffPage(
      pageContext,
      buildReceiversPage({
        receivers,
        centers: [
          { id: 'books', name: 'Harbour Books' },
          { id: 'bank', name: 'Alster Bank' },
        ],
        sentTo,
      }),
    );
  return {
    'receivers-none': page([]),
    receivers: page([well, { ...well, id: 'sending', center: 'bank', waiting: 3, oldestAt: noon }]),
    'receivers-failing': page(
      [
        { ...well, id: 'sent', center: 'bank', host: 'crm.alster-bank.example', waiting: 12, oldestAt: noon },
        { ...well, ...behind, id: 'held', held: 17, problem: 'status-503' },
        { ...well, ...behind, id: 'stopped', center: 'bank', stoppedAt: noon, problem: 'status-410' },
        {
          ...well,
          ...behind,
          id: 'failing',
          host: 'campaign-management-and-customer-data.events.partner-of-the-bank.example:8443',
          center: books,
          waiting: 10_000,
          problem: 'certificate-refused',
        },
      ],
      'sent',
    ),
  };
}
