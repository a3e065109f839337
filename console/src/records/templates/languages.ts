/** WhatsApp's template languages. */
const codes =
  'af ar ar_AE ar_EG ar_LB ar_MA ar_QA ar_SA az be_BY bg bn bn_IN ca cs da de de_AT de_CH el en en_AE en_AU en_CA en_GB en_GH en_IE en_IN en_NZ en_SG en_US en_ZA es es_AR es_CL es_CO es_CR es_EC es_ES es_MX es_PE es_PY es_UY et fa fi fil fr fr_BE fr_CA fr_CH ga gu ha he hi hr hu id it ja ka kk kn ko ky_KG lo lt lv mk ml mr ms nb nl nl_BE pa pl pt_BR pt_PT ro ru rw_RW si_LK sk sl sq sr sv sw ta te th tr uk ur uz vi zh_CN zh_HK zh_TW zu'.split(
    ' ',
  )

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })

export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

export const languageChoices = codes
  .map((value) => ({ value, label: `${languageName(value)} · ${value}` }))
  .sort((one, other) => one.label.localeCompare(other.label))
