package view

// brandTexts are the words of the page on which a merchant changes the look of the payment page.
type brandTexts struct {
	Title, Intro, Manage          string
	Names, NameArabic             string
	NameEnglish, NameHint         string // before the application's name
	Logo, LogoHint, Remove        string
	Accent, AccentHint            string
	OnLight, OnDark               string
	Darker, Lighter               string // {colour} has {ratio}
	Black, White                  string
	Contact, ContactHint          string
	Phone, PhoneHint              string
	WhatsApp, WhatsAppHint        string
	Website, WebsiteHint          string
	Address, AddressHint          string
	Save                          string
	Preview, PreviewHint          string
	PreviewArabic, PreviewEnglish string
	NameLong, AccentBad           string
	PhoneBad, WebsiteBad          string
	AddressLong                   string
	LogoHeavy, LogoLarge          string
	LogoSmall, LogoBlank          string
	LogoScans                     string
	LogoFormat, LogoAgain, Broken string
}

var arabicBrand = brandTexts{
	Title: "مظهر صفحة الدفع", Manage: "غيّر المظهر",
	Intro: "كيف يرى الزبائن متجرك في صفحة الدفع والإيصال، وكيف يصلون إليك. كل خانة اختيارية.",
	Names: "اسم المتجر", NameArabic: "الاسم بالعربية", NameEnglish: "الاسم بالإنجليزية",
	NameHint: "إن تُرك فارغًا ظهر اسم التطبيق:",
	Logo:     "الشعار",
	LogoHint: "صورة PNG أو JPEG أو WebP، حتى 2 ميغابايت و2500 بكسل طولًا وعرضًا. الأفضل PNG بخلفية شفافة. نعيد رسمها ولا نحفظ الملف نفسه.",
	Remove:   "احذف الشعار الحالي",
	Accent:   "لون المتجر",
	AccentHint: "للأزرار والروابط، مثل \u2066#0b5d57\u2069. إن صعبت رؤيته على صفحة فاتحة أو داكنة استعملنا درجة أغمق أو أفتح منه. " +
		"إن تُرك فارغًا بقي لون دفتر.",
	OnLight: "في الصفحات الفاتحة", OnDark: "في الصفحات الداكنة",
	Darker:  "تباين {colour} مع الصفحة {ratio}، والمطلوب 3:1 على الأقل، فاخترنا درجة أغمق.",
	Lighter: "تباين {colour} مع الصفحة {ratio}، والمطلوب 3:1 على الأقل، فاخترنا درجة أفتح.",
	Black:   "نص أسود عليه، تباينه", White: "نص أبيض عليه، تباينه",
	Contact: "التواصل مع المتجر", ContactHint: "يظهر أسفل صفحة الدفع وفي الإيصال.",
	Phone: "هاتف خدمة الزبائن", PhoneHint: "مثل \u2066021 333 4444\u2069 أو \u2066091 234 5678\u2069",
	WhatsApp: "رقم واتساب", WhatsAppHint: "تُكتب للزبون رسالة فيها مرجع الدفعة.",
	Website: "موقع المتجر", WebsiteHint: "مثل \u2066https://shop.example\u2069",
	Address: "عنوان المتجر", AddressHint: "مثل: طرابلس، ميدان الجزائر، بجانب البريد",
	Save:    "احفظ المظهر",
	Preview: "كما يراه الزبائن", PreviewHint: "بيانات للعرض فقط، ولا يمكن الدفع هنا. تتبع الألوان المظهر الفاتح أو الداكن في جهازك.",
	PreviewArabic: "صفحة الدفع بالعربية", PreviewEnglish: "صفحة الدفع بالإنجليزية",
	NameLong: "الاسم أطول من 80 حرفًا.", AccentBad: "اكتب اللون بستة أرقام وحروف بعد #، مثل \u2066#0b5d57\u2069.",
	PhoneBad:    "هذا ليس رقم هاتف. اكتب رقمًا ليبيًا، أو رقمًا دوليًا يبدأ بعلامة +.",
	WebsiteBad:  "اكتب عنوانًا يبدأ بـ \u2066https://\u2069، بلا اسم مستخدم ولا كلمة مرور.",
	AddressLong: "العنوان أطول من 200 حرف.",
	LogoHeavy:   "ملف الشعار أكبر من 2 ميغابايت.", LogoLarge: "صورة الشعار أكبر من 2500 بكسل طولًا أو عرضًا.",
	LogoSmall: "صورة الشعار أصغر من 48 بكسل طولًا أو عرضًا.", LogoBlank: "صورة الشعار شفافة كلها.",
	LogoScans:  "صورة JPEG هذه محفوظة على مراحل كثيرة جدًا. احفظها من جديد بصيغة PNG أو JPEG عادية.",
	LogoFormat: "هذا الملف ليس صورة PNG أو JPEG أو WebP كاملة. ملفات SVG غير مقبولة.",
	LogoAgain:  "اختر ملف الشعار مرة أخرى، فالمتصفح لا يحفظه.",
	Broken:     "لم يصل النموذج كاملًا. أرسله مرة أخرى.",
}

var englishBrand = brandTexts{
	Title: "Look of the payment page", Manage: "Change the look",
	Intro: "How customers see your shop on the payment page and the receipt, and how they reach you. Every field is optional.",
	Names: "Name of the shop", NameArabic: "Name in Arabic", NameEnglish: "Name in English",
	NameHint: "Left empty, it is the application’s:",
	Logo:     "Logo",
	LogoHint: "A picture in PNG, JPEG or WebP, up to 2 MB and 2500 pixels on each side. Best is PNG with a transparent ground. We draw it anew and do not keep the file.",
	Remove:   "Remove the present logo",
	Accent:   "Colour of the shop",
	AccentHint: "For buttons and links, such as #0b5d57. Where it is hard to see on a light or a dark page, we use a darker or a lighter shade of it. " +
		"Left empty, it is Daftar’s.",
	OnLight: "On light pages", OnDark: "On dark pages",
	Darker:  "{colour} has a contrast of {ratio} to the page, and at least 3:1 is needed, so this is a darker shade.",
	Lighter: "{colour} has a contrast of {ratio} to the page, and at least 3:1 is needed, so this is a lighter shade.",
	Black:   "black text on it, contrast", White: "white text on it, contrast",
	Contact: "Contact", ContactHint: "It stands at the foot of the payment page and on the receipt.",
	Phone: "Customer service telephone", PhoneHint: "Such as 021 333 4444 or 091 234 5678",
	WhatsApp: "WhatsApp number", WhatsAppHint: "The customer’s message begins with the reference of the payment.",
	Website: "Website", WebsiteHint: "Such as https://shop.example",
	Address: "Address of the shop", AddressHint: "Such as: Tripoli, Algeria Square, beside the post office",
	Save:    "Save the look",
	Preview: "As customers see it", PreviewHint: "Made-up data; nothing can be paid here. The colours follow the light or dark scheme of your device.",
	PreviewArabic: "Payment page in Arabic", PreviewEnglish: "Payment page in English",
	NameLong: "The name is longer than 80 characters.", AccentBad: "Write the colour as six digits and letters after #, such as #0b5d57.",
	PhoneBad:    "This is no telephone number. Write a Libyan one, or an international one that begins with +.",
	WebsiteBad:  "Write an address that begins with https://, without a user name or a password.",
	AddressLong: "The address is longer than 200 characters.",
	LogoHeavy:   "The logo’s file is larger than 2 MB.", LogoLarge: "The logo’s picture has more than 2500 pixels on a side.",
	LogoSmall: "The logo’s picture has fewer than 48 pixels on a side.", LogoBlank: "The logo’s picture is wholly transparent.",
	LogoScans:  "This JPEG is drawn in too many steps. Save it again as PNG or as an ordinary JPEG.",
	LogoFormat: "This file is no whole picture in PNG, JPEG or WebP. SVG is not accepted.",
	LogoAgain:  "Choose the logo’s file again: the browser does not keep it.",
	Broken:     "The form did not come whole. Send it again.",
}
