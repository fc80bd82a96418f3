export const words = {
  note: {
    en: 'Nothing on this page is sent or kept. Answer as often as you like, and see what would be stored.',
    'zh-hans': '此页的内容不会发送，也不会保存。您可以回答任意多次，看看会存储什么。',
  },
  own: {
    en: 'Your device draws with the chances of a question of this survey.',
    'zh-hans': '您的设备按本调查中一个问题的概率随机抽取。',
  },
  coin: {
    en: 'Here a coin is tossed: your answer stays, or chance answers in its place. This survey has chances of its own.',
    'zh-hans': '这里抛一枚硬币：您的回答保留，或由随机回答代替。本调查有自己的概率。',
  },
  question: {
    en: 'Did you eat breakfast today?',
    'zh-hans': '您今天吃早饭了吗？',
  },
  stored: {
    en: 'You said {said}. The site would store: {stored}.',
    'zh-hans': '您回答“{said}”，将存储为“{stored}”。',
  },
  anyNumber: {
    en: 'Any number from {min} to {max}, to try it',
    'zh-hans': '任意一个从 {min} 到 {max} 的数字，用于试验',
  },
  anyPlace: {
    en: 'Any place on the map, to try it',
    'zh-hans': '地图上任意一个地点，用于试验',
  },
  draw: {
    en: 'Show what would be stored',
    'zh-hans': '显示将存储的内容',
  },
  storedAny: {
    en: 'You said: {said}. The site would store: {stored}.',
    'zh-hans': '您的回答：{said}。网站将存储：{stored}。',
  },
  given: {
    en: 'You say',
    'zh-hans': '您的回答',
  },
  asYes: {
    en: 'Stored as Yes',
    'zh-hans': '存储为“是”',
  },
  asNo: {
    en: 'Stored as No',
    'zh-hans': '存储为“否”',
  },
  done: {
    en: 'Back to the first page',
    'zh-hans': '返回问卷',
  },
};
