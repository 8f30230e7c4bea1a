import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { Secret } from '../../src/config/setting.ts';
import { whatOf } from '../../src/features/staff/finding-words.ts';
import { lintCenter } from '../../src/features/staff/lint.ts';
import { createPlatform } from '../../src/upstream/platform.ts';
import { center, center2, checked, purposeId, startTenant, type TenantWays } from './checked-tenant.ts';

const planted: TenantWays = {
  single: {
    EnableMultipleIdentities: true,
    HierarchicalAccessControl: true,
    messages: ['Half of it is missing'],
    PortalSettings: { reasonTriggerCondition: 'OnEveryVisit' },
    PreferenceCenterSettings: { Languages: { fr: { isCompleted: false } } },
    Purposes: [
      {
        Id: purposeId,
        Label: 'News',
        PurposeType: 'IAB',
        ImplicitConsentLifeSpan: 600,
        ImplicitConsentConfirmDesc: 'Yes',
      },
    ],
    ProfileSettings: { IsEnabled: true, DataElements: [{ Id: 'x', Label: 'X', Status: 'RETIRED' }] },
    Sparkle: 7,
  },
  page: { conditionalRules: [{ field: 'Country' }], identifierType: 'Phone' },
};

const plantedMembers = [
  'EnableMultipleIdentities = true changes nothing',
  'HierarchicalAccessControl = true changes nothing',
  'messages are not shown',
  'PortalSettings.reasonTriggerCondition = OnEveryVisit is read as UnsubscribeAll',
  'Languages.fr.isCompleted = false leaves gaps',
  'Purposes[0].PurposeType = IAB opens the purpose for leaving only',
  'Purposes[0].ImplicitConsentConfirmDesc is not shown',
  'Purposes[0].ImplicitConsentLifeSpan is not shown',
  'DataElements[0].Status = RETIRED is neither rendered nor required',
  'Sparkle is not known',
  'sections[0].conditionalRules opens the section for leaving only',
  'sections[0].identifierType changes nothing',
];

/** What staff find in the centers of a tenant, and what the log says when its centers are read twice. */
async function toldElsewhere(ways: TenantWays) {
  const tenant = await startTenant(ways);
  const logged: string[] = [];
  const platform = createPlatform({
    url: new URL(tenant.url),
    clientId: 'id',
    clientSecret: new Secret('secret'),
    tokenStyle: 'multipart',
    tokenPerScope: false,
    rateLimitPrefix: 'ot',
    dataElementsKey: 'dsDataElements',
    identifierEncoding: 'refuse',
    clock: systemClock,
    log: { warn: (_event, fields) => void logged.push(String(fields['member'])) },
  });
  try {
    const findings: string[] = [];
    for (const id of [center, center2]) {
      const found = await platform.findCenter(id);
      assert.ok(found !== undefined && (await platform.findCenter(id)) !== undefined);
      findings.push(...lintCenter(found, undefined).map(whatOf));
    }
    return { findings, logged };
  } finally {
    await platform.close();
    await tenant.close();
  }
}

suite('What a tenant says and no page honours', () => {
  test('Ten members that are not supported, in two centers, are each told: by check, the linter and the log.', async () => {
    const { said } = await checked(planted);
    const { findings, logged } = await toldElsewhere(planted);
    const told = said('center').filter((line) => line.startsWith('told'));
    for (const [where, lines] of Object.entries({ check: told, linter: findings, log: logged }))
      for (const member of plantedMembers)
        assert.equal(
          lines.filter((line) => line.includes(member)).length,
          1,
          `${where}: ${member}\n${lines.join('\n')}`,
        );
  });
});
