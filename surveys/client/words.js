// The interface in its two languages: a key, English, Chinese.

export const LANGUAGES = ['en', 'zh-hans'];

const TABLE = `
language|Language|语言
leave|Leave quickly|快速离开
trial|A test: nothing sent here counts.|测试：不计入结果。
simulated|A demonstration: answers so far are simulated.|演示：目前的回答均为模拟。

who|Who asks|谁在提问
why|Why|为什么
protection|How your answers are protected|您的回答如何受到保护
sentence|Someone who gives it {prior} that something asked here is true of you cannot become more than {posterior} sure, whatever you send.|如果有人认为所问之事有 {prior} 的可能符合您，那么无论您发送什么，他的把握都不会超过 {posterior}。
others|From the other answers alone, someone who gives it {prior} that something asked there is true of you cannot become more than {posterior} sure.|仅凭其他回答：如果有人认为所问之事有 {prior} 的可能符合您，他的把握不会超过 {posterior}。
partly|Someone who gives it {prior} that you answer at least one of these questions otherwise cannot become more than {posterior} sure of that, whatever you send.|如果有人认为您有 {prior} 的可能对其中至少一个问题作了其他回答，那么无论您发送什么，他对此的把握都不会超过 {posterior}。
weak|The disguise here is weak: someone could become practically sure of your answers.|此处的伪装很弱：别人几乎可以确定您的回答。
override|This is less than this site asks for. {by} answers for it:|这低于本网站的要求。{by} 对此负责：
how|How does that work?|这是怎样做到的？
together|Many records together still tell shares.|大量记录合起来仍能显示比例。
uncovered|What is not covered?|哪些情况不受保护？
uncoveredOpen|Answers marked "sent as given" are not disguised.|标有“按原样发送”的回答不会被伪装。
uncoveredDirect|Answering directly has no such protection; choosing it may itself tell something.|直接回答没有这种保护；选择它本身也可能透露信息。
uncoveredAgain|The figure is for answering once: more times tell more.|此数字适用于回答一次，多答则多透露。
uncoveredVisit|Your network, this device’s history and people nearby can see that you came.|您的网络、此设备的浏览记录和身边的人能看到您来过。
uncoveredSite|Whoever runs this site could change this page; what it should be is public.|网站运营者有可能更改本页面；正确的内容是公开的。
drawn|This device drew {asked} of {all} sensitive questions by chance.|此设备从 {all} 个敏感问题中随机抽取了 {asked} 个。
fingerprint|This link has no check mark: is this your questionnaire? Its fingerprint:|此链接没有校验标记：这是您的问卷吗？它的指纹：
consent|Your consent|您的同意
once|This invitation works once. After Begin, finish in this browser.|此邀请只能用一次。开始后，请在此浏览器中完成。
stored|From Begin on, this browser keeps random numbers; after Send, the disguised answers and, until they arrive, those sent as given; never the truth behind a disguise.|从“开始”起，此浏览器保存随机数；“发送”后保存伪装后的回答，送达前还保存按原样发送的回答；绝不保存伪装背后的真实回答。
begin|I agree – begin|我同意，开始
second|You have sent answers from here before. This is a second disclosure: whoever could join both could become up to {posterior} sure.|您曾从这里发送过回答。这是第二次披露：把两者相联系的人，把握最多可达 {posterior}。
noStorage|Only this page keeps your answers. Please leave it open until they have arrived.|只有此页面保存着您的回答，送达前请勿关闭。

choice|How do you want to answer?|您想怎样回答？
disguised|Disguise my answers|伪装我的回答
disguisedHelp|Chance changes them before they are sent: nobody learns your answers.|发送前随机改变，无人知道您的回答。
partlyHelp|Chance changes some of them before they are sent, as the first page told.|发送前随机改变其中一部分，如首页所述。
direct|Answer directly|直接回答
directHelp|Sent as given. Helps research a little more.|按原样发送。对研究的帮助稍大。

page|Page {page} of {pages}|第 {page} 页，共 {pages} 页
mask|Disguised before sending|发送前伪装
open|Sent as given|按原样发送
optional|optional|可不填
yes|Yes|是
no|No|否
next|Continue|继续
back|Back|返回
missing|Please answer this question.|请回答此问题。
outside|Please stay within {min} – {max}.|请填写 {min} – {max} 之间的值。

review|Check your answers|检查您的回答
reviewNote|Only you see this so far.|目前只有您能看到。
change|Change|更改
nothing|no answer|未回答
send|Send|发送
sendDisguised|Disguise and send|伪装并发送

sending|Sending|正在发送
waiting|They have not arrived yet. Next try in {seconds} s.|尚未送达。{seconds} 秒后重试。
waitingKept|Kept here: disguised once and for all, or as given where marked so. You may come back later.|已保存在此处：伪装不再改变，其余按原样。您可以以后再来。
again|Try again|重试

thanks|Thank you|谢谢您
arrived|Your answers have arrived.|您的回答已送达。
sent|What was sent|已发送的内容
stayedPartly|Your true answers to disguised questions stayed here, but for those that are not hidden. This page has forgotten them.|伪装问题的真实回答留在您这里，不被隐藏的除外；本页面已忘记。
stayed|Your true answers to disguised questions stayed here. This page has forgotten them.|伪装问题的真实回答留在您这里，本页面已忘记。
question|Question|问题
value|Sent|已发送
chance|Chance that it is noise|是随机内容的概率
receipt|Receipt|回执
receiptText|With it anyone can ask whether the response is stored.|任何人凭此都可查询回答是否已存储。
check|Ask the server|向服务器查询
held|The server holds this response.|服务器存有此回答。
notHeld|The server does not know this receipt.|服务器没有此回执。
another|Erase this: another person answers here|清除：由另一个人在此回答

nothingSent|Nothing has been sent.|没有发送任何内容。
perhaps|What was sent from here may have arrived.|从此处发送的内容可能已送达。
erased|What you have just sent was not stored, and is erased from this device.|您刚发送的内容未被存储，并已从此设备清除。
unreachable|No connection|没有连接
notFound|There is no such survey: check the link|没有这个调查：请检查链接
notOpen|This survey is not open yet|本调查尚未开放
notOpenText|It opens: {when}.|开放：{when}。
closed|This survey is closed|本调查已结束
wrongHash|This is not the questionnaire of your link|这不是您的链接所指的问卷
wrongHashText|This site sent another. Please ask who gave you the link.|本网站发送了另一份。请询问给您链接的人。
incomplete|This link is incomplete: open the whole link|链接不完整：请打开完整的链接
busy|Too many at once: try again in some minutes|同时访问的人太多：请几分钟后再试
spent|This invitation has been used: finish in the browser where it was begun|此邀请已被使用：请在开始时所用的浏览器中完成
notInvited|This invitation is not known: open the whole link|无法识别此邀请：请打开完整的链接
malformed|This questionnaire cannot be shown|无法显示此问卷
insecure|Nothing can be protected here: this page came without https|此处无法提供保护：此页面未通过 https 打开
changed|The questionnaire has changed|问卷已更改
newer|See the new version|看新版本
duplicate|A response is already stored|已存储一份回答
duplicateText|The first from this device or invitation counts.|以此设备或此邀请的第一份为准。
refused|The response was not accepted|回答未被接受
anew|Answer again|重新回答
`;

export const WORDS = Object.fromEntries(TABLE.trim().split(/\n+/).map((line) => line.split('|')).map(([key, ...texts]) => [key, texts]));
